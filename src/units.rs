//! Durations and sizes as people type them.
use std::time::Duration;

/// Parses `90`, `30s`, `5m`, `1h30m`, `250ms`; a bare number is seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a time such as 30s, 5m or 1h30m".to_owned();
    if text.is_empty() {
        return Err(wrong());
    }
    let mut total = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let (number, unit, after) = split(rest).ok_or_else(wrong)?;
        let part = match unit {
            "ms" => Some(Duration::from_millis(number)),
            "s" => Some(Duration::from_secs(number)),
            "m" => number.checked_mul(60).map(Duration::from_secs),
            "h" => number.checked_mul(3600).map(Duration::from_secs),
            // Only as the whole of the text: `5m30` would be a trap.
            "" if rest.len() == text.len() => Some(Duration::from_secs(number)),
            _ => return Err(wrong()),
        };
        total = part.and_then(|part| total.checked_add(part)).ok_or("too long a time")?;
        rest = after;
    }
    if total.is_zero() { Err("the time must be more than zero".to_owned()) } else { Ok(total) }
}

/// Parses `200M`, `4G`, `512KiB`; units are powers of 1024, a bare number is bytes.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || "expected a size such as 200M or 4G".to_owned();
    let (number, unit, after) = split(text).ok_or_else(wrong)?;
    if !after.is_empty() {
        return Err(wrong());
    }
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(wrong()),
    };
    let size = number.checked_mul(1 << shift).ok_or("too large a size")?;
    if size == 0 { Err("the size must be more than zero".to_owned()) } else { Ok(size) }
}

/// Cuts a leading number and the letters behind it off.
fn split(text: &str) -> Option<(u64, &str, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(digits);
    let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (unit, after) = rest.split_at(letters);
    Some((number.parse().ok()?, unit, after))
}

/// A duration as a report names it: the shortest exact form of what was typed.
pub(crate) fn show_duration(time: Duration) -> String {
    let (seconds, millis) = (time.as_secs(), time.subsec_millis());
    if millis != 0 {
        return if seconds == 0 { format!("{millis}ms") } else { format!("{seconds}.{millis:03}s") };
    }
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut out = String::new();
    for (number, unit) in [(hours, 'h'), (minutes, 'm'), (rest, 's')] {
        if number != 0 {
            out += &format!("{number}{unit}");
        }
    }
    out
}

/// A size in the largest unit that gives a short number: `13 MB`, `1.5 GB`.
pub(crate) fn show_bytes(size: u64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"];
    let mut value = size as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = usize::from(unit != 0 && value < 10.0 && value.fract() >= 0.05);
    format!("{value:.digits$} {}", units[unit])
}

/// A count with commas between thousands.
pub(crate) fn show_count(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i != 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, millis) in
            [("90", 90_000), ("30s", 30_000), ("5m", 300_000), ("1h30m", 5_400_000), ("250ms", 250), ("1m1s", 61_000)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "0", "0s", "m", "5x", "5m30", "-1s", "1.5s", "99999999999999999999s", "18446744073709551615h"]
        {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes() {
        for (text, size) in [("17", 17), ("4k", 4096), ("200M", 200 << 20), ("4G", 4 << 30), ("1TiB", 1 << 40)] {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for text in ["", "0", "G", "4X", "4 G", "1G5M", "-1", "18446744073709551615K"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn shown() {
        assert_eq!(show_duration(Duration::from_secs(5400)), "1h30m");
        assert_eq!(show_duration(Duration::from_millis(250)), "250ms");
        assert_eq!(show_bytes(13 << 20), "13 MB");
        assert_eq!(show_bytes((3 << 30) / 2), "1.5 GB");
        assert_eq!(show_bytes(12), "12 bytes");
        assert_eq!(show_count(1), "1");
        assert_eq!(show_count(1_234_567), "1,234,567");
        assert_eq!(show_count(123_456), "123,456");
    }
}
