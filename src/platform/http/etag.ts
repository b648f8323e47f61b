// An entity's ETag is its version (N15).

export function etagOf(version: number): string {
  return `"${version}"`
}

/** The versions that If-Match allows; undefined where any will do. */
export function versionsIn(request: Request): number[] | undefined {
  const header = request.headers.get('If-Match')
  if (header === null || header.trim() === '*') return undefined
  return versionsOf(header)
}

/** Whether If-None-Match names what the caller would be sent. */
export function isFresh(request: Request, version: number): boolean {
  const header = request.headers.get('If-None-Match')
  return header !== null && (header.trim() === '*' || versionsOf(header.replaceAll('W/', '')).includes(version))
}

function versionsOf(header: string): number[] {
  return header.split(',').flatMap(tag => {
    const version = /^\s*"(\d{1,15})"\s*$/.exec(tag)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}
