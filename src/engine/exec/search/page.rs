//! Which of the files with hits are shown: a page of whole files, within a budget of files and bytes.

use super::layout;
use super::scan::Hits;
use crate::engine::text::head;

/// Files of a page.
pub(super) const PAGE_FILES: usize = 20;

/// Bytes of a page.
pub(super) const PAGE_BYTES: usize = 50 << 10;

/// A file with its hits, under the name it is shown by.
#[derive(Debug)]
pub(super) struct FileHits {
    pub(super) name: String,
    pub(super) hits: Hits,
}

/// A page of files.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) files: Vec<FileHits>,
    /// Number of the first file, from 0.
    pub(super) first: usize,
    /// How many files have hits.
    pub(super) total: usize,
    /// The cut inside the one file of the page, if it alone is too large.
    pub(super) cut: Option<Cut>,
}

/// Where a file was cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// First line that is not shown.
    pub(super) next_line: u64,
    /// Lines and bytes of the file's whole block.
    pub(super) total_lines: usize,
    pub(super) total_bytes: usize,
}

impl Page {
    /// The page that starts behind `skip` files. `files` starts there, too; `total` counts all.
    pub(super) fn new(mut files: Vec<FileHits>, skip: usize, total: usize) -> Self {
        files.truncate(PAGE_FILES);
        let (mut bytes, mut count) = (0, 0);
        for file in &files {
            // Headings and separators are at most the name twice and a few characters.
            bytes += layout::block(&file.hits.lines).len() + 2 * file.name.len() + 12;
            if bytes > PAGE_BYTES && count > 0 {
                break;
            }
            count += 1;
        }
        files.truncate(count);
        let mut page = Self { files, first: skip, total, cut: None };
        page.cut = page.fit_single();
        page
    }

    /// Behind the last file shown.
    pub(super) fn end(&self) -> usize {
        self.first + self.files.len()
    }

    /// Cuts the file of a page of one to whole lines within the budget.
    fn fit_single(&mut self) -> Option<Cut> {
        let [file] = self.files.as_mut_slice() else { return None };
        let block = layout::block(&file.hits.lines);
        let kept = head(&block, usize::MAX, PAGE_BYTES);
        kept.by?;
        let (total_lines, total_bytes) = (kept.total_lines, block.len());
        let mut kept_lines = kept.lines;
        let mut keep = 0;
        let mut previous = None;
        for line in &file.hits.lines {
            let needed = 1 + usize::from(layout::is_gap(previous, line.number));
            if needed > kept_lines {
                break;
            }
            kept_lines -= needed;
            keep += 1;
            previous = Some(line.number);
        }
        let rest = file.hits.lines.split_off(keep);
        let matching_lines = file.hits.lines.iter().filter(|line| line.is_match).count();
        file.hits.matches = file.hits.matches.min(matching_lines);
        rest.first().map(|line| Cut { next_line: line.number, total_lines, total_bytes })
    }
}
