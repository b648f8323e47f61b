// What the first bytes of a file say of it: without the library that reads workbooks.

/** .xlsx and .xlsm are ZIP files. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])
}

/** .xls of Excel 97 to 2003, and workbooks with a password. */
export function isOldWorkbook(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte)
}
