"""Files: records, upload, download. An upload is the record first and the bytes second, so that each call can be repeated (N26)."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import AsyncIterator
from pathlib import Path

from ..address import segment
from ..call import Call
from ..entity import Criteria, Order, Page
from ..errors import ArgumentError
from ..models import File
from ..upload_content import Content, OnUpload, Piece, Pieces, UploadProgress, name_of, type_of
from .entities import Entities
from .requests import Requests
from .runtime import next_piece, notify, side_by_side

UPLOAD_TIMEOUT_S = 600.0
PARTS_IN_FLIGHT = 3


class Files:
    """``client.files``"""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._entities = Entities(requests)

    async def get(self, file_id: str) -> File:
        """The record of a file.

        >>> print((await client.files.get(file_id))["size"])
        """
        return await self._entities.get("file", file_id, as_type=File)

    async def list(
        self,
        *,
        criteria: Criteria | None = None,
        order: Order | None = None,
        limit: int | None = None,
        next_page_key: str | None = None,
    ) -> Page[File]:
        """Records of files.

        >>> page = await client.files.list(limit=10)
        """
        return await self._entities.list(
            "file", criteria=criteria, order=order, limit=limit, next_page_key=next_page_key, as_type=File
        )

    async def delete(self, file_id: str) -> None:
        """Deletes a file and its content.

        >>> await client.files.delete(file_id)
        """
        await self._entities.delete("file", file_id)

    async def upload(
        self,
        content: Content,
        *,
        file_name: str | None = None,
        content_type: str | None = None,
        on_progress: OnUpload | None = None,
    ) -> File:
        """Uploads bytes, a path, an open binary file or pieces of bytes; more than 32 MiB go in parts, three at a time.

        Name and type are those of the path unless given.

        >>> file = await client.files.upload(Path("styles.csv"), on_progress=lambda at: print(at.bytes_done))
        """
        name = name_of(content, file_name)
        kind = type_of(name, content_type)
        pieces = Pieces(content)
        first_two = (await next_piece(pieces), await next_piece(pieces))
        ahead = deque(piece for piece in first_two if piece is not None)
        created: File = await self._requests.json(Call("POST", "/files", json={"fileName": name, "contentType": kind}))
        file_id = created["id"]
        if len(ahead) < 2:
            body = ahead[0].content if ahead else b""
            file = await self._send_whole(file_id, body, kind)
            await notify(on_progress, UploadProgress(len(body), len(body)))
            return file
        await self._send_parts(file_id, ahead, pieces, on_progress)
        path = f"{file_path(file_id)}/complete"
        return await self._requests.json(Call("POST", path, is_idempotent=True), UPLOAD_TIMEOUT_S)

    async def download(self, file_id: str, *, start: int | None = None, end: int | None = None) -> bytes:
        """The content, or the bytes from ``start`` up to ``end``, which is not included.

        >>> text = (await client.files.download(file_id)).decode()
        """
        return b"".join([piece async for piece in self.pieces(file_id, start=start, end=end)])

    async def pieces(self, file_id: str, *, start: int | None = None, end: int | None = None) -> AsyncIterator[bytes]:
        """The content piece by piece as it comes, for files of any size.

        >>> async for piece in client.files.pieces(file_id):
        ...     digest.update(piece)
        """
        headers = {"accept": "*/*", **range_of(start, end)}
        response = await self._requests.open(Call("GET", f"{file_path(file_id)}/content", headers=headers))
        async for piece in self._requests.pieces(response):
            yield piece

    async def save(self, file_id: str, path: str | os.PathLike[str]) -> Path:
        """Downloads into a file of this machine, which appears once it is whole.

        >>> await client.files.save(file_id, "styles.csv")
        """
        target = Path(path)
        unfinished = target.with_name(f"{target.name}.part")
        with unfinished.open("wb") as out:
            async for piece in self.pieces(file_id):
                out.write(piece)
        return unfinished.replace(target)

    async def _send_whole(self, file_id: str, content: bytes, content_type: str) -> File:
        """Content is written once: a repeat after a lost answer is refused, and the record has the rest."""
        path = f"{file_path(file_id)}/content"
        headers = {"content-type": content_type}
        call: Call[File | None] = Call("PUT", path, content=content, headers=headers, done_status=409)
        file = await self._requests.json(call, UPLOAD_TIMEOUT_S)
        return file if file is not None else await self.get(file_id)

    async def _send_parts(
        self, file_id: str, ahead: deque[Piece], pieces: Pieces, on_progress: OnUpload | None
    ) -> None:
        done = [0]

        async def send_some() -> None:
            while True:
                try:
                    piece: Piece | None = ahead.popleft()
                except IndexError:
                    piece = await next_piece(pieces)
                if piece is None:
                    return
                query = {"partNumber": piece.part_number}
                path = f"{file_path(file_id)}/parts"
                call: Call[None] = Call("POST", path, query, content=piece.content, is_idempotent=True)
                await self._requests.json(call, UPLOAD_TIMEOUT_S)
                done[0] += len(piece.content)
                await notify(on_progress, UploadProgress(done[0], pieces.size))

        await side_by_side(send_some, PARTS_IN_FLIGHT)


def file_path(file_id: str) -> str:
    return f"/files/{segment('id', file_id)}"


def range_of(start: int | None, end: int | None) -> dict[str, str]:
    if start is None and end is None:
        return {}
    first = start or 0
    if end is not None and end <= first:
        raise ArgumentError(f"end must be above start, and {end} is not above {first}.")
    return {"range": f"bytes={first}-{'' if end is None else end - 1}"}
