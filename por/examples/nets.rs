//! scratch: counts of a net
use por::nets::*;
use std::time::Instant;

fn main() {
    for file in std::env::args().skip(1) {
        let bytes = std::fs::read(&file).unwrap();
        let net = parse(&String::from_utf8_lossy(&bytes));
        let start = Instant::now();
        let mut last = UnfoldStatistics::default();
        match unfold(&net, UnfoldOptions::default(), &mut |s| {
            last = *s;
            true
        }) {
            Ok((prefix, end)) => println!(
                "{file}: {end:?} events {} histories {} conditions {} cutoffs {} time {:.3} bytes {} rows {} mem {}",
                prefix.events().len() - 1,
                prefix.histories().len() - 1,
                prefix.conditions(),
                prefix.histories().len() - prefix.kept().len(),
                start.elapsed().as_secs_f64(),
                last.bytes,
                last.concurrent,
                hwm()
            ),
            Err(e) => println!("{file}: {e:?}"),
        }
    }
}

fn hwm() -> String {
    std::fs::read_to_string("/proc/self/status").unwrap().lines().find(|l| l.starts_with("VmHWM")).unwrap().to_string()
}

fn parse(text: &str) -> Net {
    let mut places: Vec<Place> = vec![];
    let mut transitions: Vec<Transition> = vec![];
    let mut pid = std::collections::HashMap::new();
    let mut tid = std::collections::HashMap::new();
    let mut section = "";
    for line in text.lines() {
        let line = line.trim();
        if line.chars().all(|c| c.is_ascii_uppercase()) && line.len() == 2 {
            section = match line {
                "PL" => "PL",
                "TR" => "TR",
                "TP" => "TP",
                "PT" => "PT",
                "RA" => "RA",
                _ => "?",
            };
            continue;
        }
        match section {
            "PL" | "TR" => {
                if line.is_empty() {
                    continue;
                }
                let q = line.find('"').unwrap();
                let id: Option<usize> = line[..q].trim().parse().ok();
                let rest = &line[q + 1..];
                let e = rest.find('"').unwrap();
                let name = rest[..e].to_string();
                if section == "PL" {
                    pid.insert(id.unwrap_or(places.len() + 1), places.len());
                    places.push(Place { name, marked: rest[e..].contains("M1") && !rest[e..].contains("zz") });
                } else {
                    tid.insert(id.unwrap_or(transitions.len() + 1), transitions.len());
                    transitions.push(Transition { name, preset: vec![], context: vec![], postset: vec![] });
                }
            }
            "TP" | "RA" => {
                let (t, p) = line.split_once('<').unwrap();
                let (t, p) = (tid[&t.parse::<usize>().unwrap()], PlaceId(pid[&p.parse::<usize>().unwrap()] as u32));
                if section == "TP" { transitions[t].postset.push(p) } else { transitions[t].context.push(p) }
            }
            "PT" => {
                let (p, t) = line.split_once('>').unwrap();
                let (t, p) = (tid[&t.parse::<usize>().unwrap()], PlaceId(pid[&p.parse::<usize>().unwrap()] as u32));
                transitions[t].preset.push(p);
            }
            _ => {}
        }
    }
    Net::new(places, transitions).unwrap()
}
