// One byte range of a download (RFC 9110). Several ranges, or a header that cannot be read, mean the whole file. Pure.

export interface ByteRange {
  offset: number
  length: number
}

export type RangeAnswer = ByteRange | 'whole' | 'unsatisfiable'

export function rangeIn(header: string | null, size: number): RangeAnswer {
  const match = header === null ? null : /^bytes=(\d*)-(\d*)$/.exec(header.trim())
  if (!match) return 'whole'
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return 'whole'
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length }
  }
  const offset = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < offset) return 'whole'
  return offset >= size ? 'unsatisfiable' : { offset, length: last - offset + 1 }
}
