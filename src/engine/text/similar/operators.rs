//! Whether lines that are much alike say the opposite: `a != b` is 97 % like `a == b`.

/// Above this many in a row it is a rule drawn across a comment, of whatever length.
const MOST_IN_A_ROW: usize = 3;

/// Whether two lines have the same operators in the same order. A hyphen within a word is none.
pub fn has_same_operators(one: &str, other: &str) -> bool {
    operators(one).eq(operators(other))
}

fn operators(line: &str) -> impl Iterator<Item = char> {
    let is_of_word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    let (mut before, mut in_a_row) = (None, 0);
    let mut rest = line.chars();
    std::iter::from_fn(move || {
        loop {
            let character = rest.next()?;
            let last = before.replace(character);
            in_a_row = if last == Some(character) { in_a_row + 1 } else { 1 };
            let next = rest.clone().next();
            let is_drawn = in_a_row > MOST_IN_A_ROW;
            let is_operator = match character {
                '!' | '<' | '>' | '=' | '&' | '|' | '+' | '*' | '/' | '%' | '^' | '~' => true,
                '-' => !(is_of_word(last) && is_of_word(next)),
                _ => false,
            };
            if is_operator && !is_drawn {
                return Some(character);
            }
        }
    })
}
