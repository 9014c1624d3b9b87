//! Electronic books: chapters in reading order, each converted from HTML.

use std::io::Cursor;

use rbook::Epub;

use super::{html, office};

/// The chapters of a book.
pub fn convert(data: Vec<u8>) -> Result<String, String> {
    office::check_parts(&data)?;
    let epub = Epub::options()
        .strict(false)
        .skip_toc(true)
        .read(Cursor::new(data))
        .map_err(|error| error.to_string())?;
    let mut markdown = String::new();
    if let Some(title) = epub.metadata().title() {
        markdown.extend(["# ", title.value(), "\n\n"]);
    }
    let mut chapters = 0;
    let mut failure = None;
    for chapter in epub.reader() {
        match chapter {
            Ok(chapter) => {
                markdown.push_str(html::convert(chapter.content()).trim());
                markdown.push_str("\n\n");
                chapters += 1;
            }
            Err(error) => failure = Some(error.to_string()),
        }
    }
    match failure {
        Some(reason) if chapters == 0 => Err(reason),
        None if chapters == 0 => Err("it has no chapters".into()),
        _ => Ok(markdown),
    }
}
