//! The text form of a module: one instruction per line, constants resolved, source lines at the end.
mod inst;

use super::{Constant, Function, Global, LocId, Module, Pc};
use inst::InstText;
use std::fmt::{self, Display, Formatter};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "model {:?}", self.data_model)?;
        for global in &self.globals {
            writeln!(f, "{}", GlobalText { module: self, global })?;
        }
        for (title, list) in [("constructors", &self.constructors), ("destructors", &self.destructors)] {
            if !list.is_empty() {
                let names: Vec<_> = list.iter().map(|id| self.functions[id.index()].name.as_str()).collect();
                writeln!(f, "{title} {}", names.join(", "))?;
            }
        }
        for function in &self.functions {
            write!(f, "{}", FunctionText { module: self, function })?;
        }
        Ok(())
    }
}

impl Module {
    /// The text form of one function.
    pub fn function_text<'a>(&'a self, function: &'a Function) -> impl Display + 'a {
        FunctionText { module: self, function }
    }

    /// A place in the source as `file:line:column`.
    pub fn place_text(&self, id: LocId) -> String {
        let location = &self.locations[id.index()];
        let Some(file) = self.files.get(location.file as usize) else {
            return "?".into();
        };
        let mut text = format!("{file}:{}", location.line);
        if location.column > 0 {
            text += &format!(":{}", location.column);
        }
        if let Some(at) = location.inlined_at {
            text += &format!(" ({}, inlined at {})", location.function, self.place_text(at));
        }
        text
    }

    fn constant_text(&self, constant: Constant) -> String {
        let with_offset = |name: &str, offset: i64| match offset {
            0 => format!("&{name}"),
            _ => format!("&{name}{offset:+}"),
        };
        match constant {
            Constant::Bits(bits) if bits < 1 << 16 => format!("{bits}"),
            Constant::Bits(bits) => format!("{bits:#x}"),
            Constant::Global(id, offset) => with_offset(&self.globals[id.index()].name, offset),
            Constant::Function(id, offset) => with_offset(&self.functions[id.index()].name, offset),
            Constant::Block(id, place) => format!("&&{}{place}", self.functions[id.index()].name),
            Constant::Difference { minuend, subtrahend, offset } => {
                let part = |index: u32| self.constant_text(self.constants[index as usize]);
                let offset = if offset == 0 { String::new() } else { format!("{offset:+}") };
                format!("({}-{}{offset})", part(minuend), part(subtrahend))
            }
        }
    }
}

struct GlobalText<'a> {
    module: &'a Module,
    global: &'a Global,
}

impl Display for GlobalText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Global { name, size, align, initial, constant, thread_local, weak, location } = self.global;
        write!(f, "global {name} size {size} align {align}")?;
        if *constant {
            write!(f, " constant")?;
        }
        if *thread_local {
            write!(f, " thread_local")?;
        }
        if *weak {
            write!(f, " weak")?;
        }
        match initial {
            None => write!(f, " external")?,
            Some(initial) => {
                let used = initial.bytes.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
                if used > 0 {
                    write!(f, " = ")?;
                    for byte in &initial.bytes[..used] {
                        write!(f, "{byte:02x}")?;
                    }
                }
                for (offset, len, constant) in &initial.relocations {
                    write!(f, " [{offset}+{len}: {}]", self.module.constant_text(*constant))?;
                }
            }
        }
        if location.0 != 0 {
            write!(f, "    ; {}", self.module.place_text(*location))?;
        }
        Ok(())
    }
}

struct FunctionText<'a> {
    module: &'a Module,
    function: &'a Function,
}

impl Display for FunctionText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let function = self.function;
        write!(f, "{} {}(", if function.code.is_empty() { "declare" } else { "function" }, function.name)?;
        let mut slot = 0;
        for (i, param) in function.params.iter().enumerate() {
            let separator = if i > 0 { ", " } else { "" };
            write!(f, "{separator}r{slot}")?;
            if param.slots != 1 {
                write!(f, "..{}", slot + param.slots)?;
            }
            if !param.name.is_empty() {
                write!(f, " {}", param.name)?;
            }
            slot += param.slots;
        }
        if function.variadic {
            write!(f, "{}...", if function.params.is_empty() { "" } else { ", " })?;
        }
        write!(f, ") -> {}", function.result_slots)?;
        if function.noreturn {
            write!(f, " noreturn")?;
        }
        if function.weak {
            write!(f, " weak")?;
        }
        if function.code.is_empty() {
            return writeln!(f);
        }
        write!(f, " frame {}", function.frame_slots)?;
        if function.location.0 != 0 {
            write!(f, "    ; {}", self.module.place_text(function.location))?;
        }
        writeln!(f)?;
        let mut last = function.location;
        for (index, inst) in function.code.iter().enumerate() {
            let here = Pc(index as u32);
            if index > 0 && function.blocks.binary_search(&here).is_ok() {
                writeln!(f)?;
            }
            let text = InstText { module: self.module, function, inst }.to_string();
            write!(f, "{:>5}: {text}", here.to_string())?;
            let location = function.locations[index];
            if location != last && location.0 != 0 {
                let pad = 60usize.saturating_sub(text.len());
                write!(f, "{:pad$} ; {}", "", self.module.place_text(location))?;
                last = location;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
