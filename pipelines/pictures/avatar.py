"""Make a person's picture from a stranger's image file: a small square JPEG without metadata."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from cluster.wording.message import Message
from pipelines.pictures.unreadable import UnreadablePicture

SIDE_PX = 256
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
"""Every other decoder stays switched off. SVG is a program in disguise and is none of them."""
PIXELS_MAX = 50_000_000
"""The largest cameras of phones. A header that states more is refused before anything is decoded."""
QUALITY = 88

NOT_A_PICTURE = Message(
    "pipelines.pictures.not_a_picture", "We cannot read this picture. Choose a JPEG, PNG, WebP or GIF file."
)
TOO_MANY_PIXELS = Message(
    "pipelines.pictures.too_many_pixels", "This picture is larger than 50 megapixels. Choose a smaller one."
)
ANIMATED = Message("pipelines.pictures.animated", "This picture moves. Choose a still one.")


def make_avatar(path: Path) -> bytes:
    """The middle square of a picture as a JPEG, upright and without metadata. Raises `UnreadablePicture`."""
    try:
        with Image.open(path, formats=FORMATS) as image:
            if image.width * image.height > PIXELS_MAX:
                raise UnreadablePicture(TOO_MANY_PIXELS)
            if getattr(image, "is_animated", False):
                raise UnreadablePicture(ANIMATED)
            # A JPEG is decoded at the least size that is enough.
            image.draft("RGB", (2 * SIDE_PX, 2 * SIDE_PX))
            upright = ImageOps.exif_transpose(image).convert("RGBA")
    except UnreadablePicture:
        raise
    except Image.DecompressionBombError:
        raise UnreadablePicture(TOO_MANY_PIXELS) from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise UnreadablePicture(NOT_A_PICTURE) from error
    square = ImageOps.fit(upright, (SIDE_PX, SIDE_PX), Image.Resampling.LANCZOS)
    page = Image.new("RGB", square.size, "white")
    page.paste(square, mask=square)
    buffer = io.BytesIO()
    page.save(buffer, "JPEG", quality=QUALITY, optimize=True)
    return buffer.getvalue()
