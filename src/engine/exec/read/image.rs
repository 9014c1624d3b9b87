//! Pictures: told by their first bytes, shown as they are where a model takes them, else smaller. Whatever is wrong
//! with one is said in a notice: a broken picture must never end up in a conversation.

use std::io::Cursor;

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8x3, U8x4};
use fast_image_resize::{PixelTrait, Resizer};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{ColorType, DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageReader, Limits};
use serde_json::json;

use super::address::Target;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::Context;
use crate::engine::files;
use crate::engine::outcome::{Notice, Outcome, Picture};
use crate::engine::text::format_bytes;

/// Bytes of a file that is looked at.
const MAX_FILE: u64 = 20 * 1024 * 1024;
/// Pixels of the longer side; what is larger is made smaller by every provider, without a word.
const MAX_SIDE: u32 = 1568;
/// Bytes of a picture that is passed on as it is: base64 makes a third more of them, and 5 MB is what providers take.
const MAX_SHOWN: usize = 3_700_000;
/// Memory of a decoded picture.
const MAX_DECODED: u64 = 256 * 1024 * 1024;
/// Of a picture without transparency, where PNG takes too much.
const JPEG_QUALITY: u8 = 85;

/// The type of a picture that a model can be shown, from the first bytes of its file.
#[must_use]
pub fn mime_type(head: &[u8]) -> Option<&'static str> {
    match head {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

/// Shows the picture in a file.
pub fn show_file(
    target: &Target,
    mime: &'static str,
    context: &Context,
    cancel: &CancelToken,
) -> Result<Outcome> {
    let size = target.path.metadata().map_err(|error| ToolError::io(target.shown.clone(), &error))?.len();
    refuse_large(target, size)?;
    let (data, _) = files::read_regular(&target.path, &target.shown, MAX_FILE)?;
    show(target, mime, data, context, cancel)
}

/// Shows a picture that lies in memory.
pub fn show(
    target: &Target,
    mime: &'static str,
    data: Vec<u8>,
    context: &Context,
    cancel: &CancelToken,
) -> Result<Outcome> {
    refuse_large(target, data.len() as u64)?;
    cancel.check()?;
    let size = data.len();
    let mut outcome = Outcome::text(format!("Read image file [{mime}]"))
        .detail("resolvedPath", target.resolved())
        .detail("spillEligible", false);
    outcome.meta = target.meta();
    let decoded = match decode(&data) {
        Ok(decoded) => decoded,
        Err(reason) => return Ok(unreadable(outcome, target, mime, size, &reason)),
    };
    cancel.check()?;
    let (width, height) = (decoded.width(), decoded.height());
    let facts = json!({"mimeType": mime, "width": width, "height": height, "bytes": size});
    outcome = outcome.detail("image", facts);
    let fits = width.max(height) <= MAX_SIDE && size <= MAX_SHOWN;
    if fits || !context.settings.truthy("images.autoResize") {
        outcome.images.push(Picture { mime_type: mime, data });
        return Ok(outcome);
    }
    drop(data);
    match shrink(decoded, cancel)? {
        Ok((picture, shown)) => {
            let notice = resized(target, (width, height), shown);
            super::page::append(&mut outcome, "\n", notice);
            outcome.images.push(picture);
            Ok(outcome)
        }
        Err(reason) => Ok(unreadable(outcome, target, mime, size, &reason)),
    }
}

fn refuse_large(target: &Target, size: u64) -> Result<()> {
    if size > MAX_FILE {
        return Err(ToolError::ImageTooLarge { path: target.shown.clone(), size, limit: MAX_FILE });
    }
    Ok(())
}

/// The pixels as they are meant to be seen; of an animation its first picture.
fn decode(data: &[u8]) -> std::result::Result<DynamicImage, String> {
    let mut reader =
        ImageReader::new(Cursor::new(data)).with_guessed_format().map_err(|error| error.to_string())?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODED);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| error.to_string())?;
    // Not every decoder keeps to the limit.
    if decoder.total_bytes() > MAX_DECODED {
        let (width, height) = decoder.dimensions();
        return Err(format!("{width}x{height} pixels are too many"));
    }
    let orientation = decoder.orientation().map_err(|error| error.to_string())?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(|error| error.to_string())?;
    image.apply_orientation(orientation);
    Ok(image)
}

type Shrunk = std::result::Result<(Picture, (u32, u32)), String>;

/// A picture within the limits: PNG while it is small enough, JPEG where nothing is transparent, fewer pixels else.
fn shrink(image: DynamicImage, cancel: &CancelToken) -> Result<Shrunk> {
    let opaque = !image.color().has_alpha();
    let mut side = MAX_SIDE;
    let mut image = eight_bit(image);
    loop {
        cancel.check()?;
        let longer = image.width().max(image.height());
        if longer > side {
            image = match scale(&image, f64::from(side) / f64::from(longer)) {
                Ok(image) => image,
                Err(reason) => return Ok(Err(reason)),
            };
        }
        let shown = (image.width(), image.height());
        let as_png = encode(&image, Encoding::Png).map(|data| Picture { mime_type: "image/png", data });
        let picture = match as_png {
            Ok(picture) if picture.data.len() > MAX_SHOWN / 4 && opaque => {
                encode(&image, Encoding::Jpeg).map(|data| Picture { mime_type: "image/jpeg", data })
            }
            other => other,
        };
        match picture {
            Ok(picture) if picture.data.len() <= MAX_SHOWN || side < 256 => return Ok(Ok((picture, shown))),
            Ok(_) => side = side.min(longer) * 3 / 4,
            Err(reason) => return Ok(Err(reason)),
        }
    }
}

/// RGB or RGBA with a byte for each: what both encoders and the resizer take.
fn eight_bit(image: DynamicImage) -> DynamicImage {
    if image.color().has_alpha() {
        DynamicImage::ImageRgba8(image.into_rgba8())
    } else {
        DynamicImage::ImageRgb8(image.into_rgb8())
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a u32")]
fn scale(image: &DynamicImage, factor: f64) -> std::result::Result<DynamicImage, String> {
    let side = |length: u32| ((f64::from(length) * factor).round() as u32).max(1);
    let (width, height) = (side(image.width()), side(image.height()));
    let image = if image.color() == ColorType::Rgba8 {
        let pixels = resampled::<U8x4>(image, width, height)?;
        image::RgbaImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgba8)
    } else {
        let pixels = resampled::<U8x3>(image, width, height)?;
        image::RgbImage::from_raw(width, height, pixels).map(DynamicImage::ImageRgb8)
    };
    image.ok_or_else(|| "the resized picture has no size".to_owned())
}

/// The bytes of a picture at another size. By type, not by a value: what is told by a value brings the code of all
/// thirteen kinds of pixels into the addon.
fn resampled<P: PixelTrait>(
    image: &DynamicImage,
    width: u32,
    height: u32,
) -> std::result::Result<Vec<u8>, String> {
    let source = TypedImageRef::<P>::from_buffer(image.width(), image.height(), image.as_bytes())
        .map_err(|error| error.to_string())?;
    let mut pixels = vec![0; width as usize * height as usize * P::size()];
    let mut scaled =
        TypedImage::<P>::from_buffer(width, height, &mut pixels).map_err(|error| error.to_string())?;
    Resizer::new().resize_typed(&source, &mut scaled, None).map_err(|error| error.to_string())?;
    Ok(pixels)
}

#[derive(Clone, Copy)]
enum Encoding {
    Png,
    Jpeg,
}

fn encode(image: &DynamicImage, encoding: Encoding) -> std::result::Result<Vec<u8>, String> {
    let mut data = Vec::new();
    let (pixels, width, height) = (image.as_bytes(), image.width(), image.height());
    let color = ExtendedColorType::from(image.color());
    let written = match encoding {
        Encoding::Png => PngEncoder::new(&mut data).write_image(pixels, width, height, color),
        Encoding::Jpeg => {
            JpegEncoder::new_with_quality(&mut data, JPEG_QUALITY).write_image(pixels, width, height, color)
        }
    };
    written.map(|()| data).map_err(|error| error.to_string())
}

fn resized(target: &Target, original: (u32, u32), shown: (u32, u32)) -> Notice {
    let factor = f64::from(original.0.max(original.1)) / f64::from(shown.0.max(shown.1));
    let factor = format!("{factor:.2}");
    let text = format!(
        "[Shown as {}x{}, the original has {}x{} pixels: multiply positions by {factor}]",
        shown.0, shown.1, original.0, original.1
    );
    let facts = json!({
        "path": target.shown, "width": shown.0, "height": shown.1,
        "originalWidth": original.0, "originalHeight": original.1, "factor": factor,
    });
    Notice::new("image_resized", text, facts)
}

fn unreadable(mut outcome: Outcome, target: &Target, mime: &str, size: usize, reason: &str) -> Outcome {
    let (path, size) = (&target.shown, format_bytes(size as u64));
    let reason: String = reason.chars().take(200).collect();
    let text =
        format!("[{path} is a damaged or too large image ({mime}, {size}) and is not shown: {reason}]");
    let facts = json!({"path": path, "mimeType": mime, "size": size, "reason": reason});
    outcome.text.clone_from(&text);
    outcome.note(Notice::new("image_failed", text, facts));
    outcome
}
