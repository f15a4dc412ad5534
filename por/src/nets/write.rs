//! Writes nets as low-level nets of PEP, with their read arcs, for tools that read these.
//!
//! [`read`](super::read()) gives the same net back, but for names that hold line ends or quotes of both kinds: the
//! format knows no escapes, so a line end becomes a blank and a double quote a single one.
use super::{Net, PlaceId, Transition};
use std::fmt::Write;

/// The net as a file `.ll_net`.
pub fn ll_net(net: &Net) -> String {
    let mut text = String::from("PEP\nPTNet\nFORMAT_N\nPL\n");
    let mut line = |arguments: std::fmt::Arguments<'_>| writeln!(text, "{arguments}").expect("a string takes all");
    for (number, place) in (1..).zip(net.places()) {
        line(format_args!("{number}{}0@0{}", quoted(&place.name), if place.marked { "M1" } else { "" }));
    }
    line(format_args!("TR"));
    for (number, transition) in (1..).zip(net.transitions()) {
        line(format_args!("{number}{}0@0", quoted(&transition.name)));
    }
    type List = fn(&Transition) -> &[PlaceId];
    let sections: [(&str, List); 3] = [("TP", |t| &t.postset), ("PT", |t| &t.preset), ("RA", |t| &t.context)];
    for (section, list) in sections {
        line(format_args!("{section}"));
        for (number, transition) in (1..).zip(net.transitions()) {
            for place in list(transition).iter().map(|place| place.0 + 1) {
                match section {
                    "PT" => line(format_args!("{place}>{number}")),
                    _ => line(format_args!("{number}<{place}")),
                }
            }
        }
    }
    text
}

fn quoted(name: &str) -> String {
    let name = name.replace(['\n', '\r'], " ");
    match (name.contains('"'), name.contains('\'')) {
        (true, false) => format!("'{name}'"),
        _ => format!("\"{}\"", name.replace('"', "'")),
    }
}
