// Writes an object of unknown length to R2 while holding one part of it in memory. Small ones go up in one piece, larger
// ones in parts of equal size, as R2 wants them.

import { UPLOAD_PART_BYTES as PART_BYTES } from '../../platform/limits.ts'

export interface Stored {
  size: number
  /** SHA-256 of the content. */
  checksum: string
}

export class BucketWriter {
  readonly #bucket: R2Bucket
  readonly #key: string
  readonly #digest = new crypto.DigestStream('SHA-256')
  readonly #hash = this.#digest.getWriter()
  #buffer = new Uint8Array(64 * 1024)
  #length = 0
  #size = 0
  #upload: R2MultipartUpload | undefined
  readonly #parts: R2UploadedPart[] = []

  constructor(bucket: R2Bucket, key: string) {
    this.#bucket = bucket
    this.#key = key
  }

  get size(): number {
    return this.#size
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#hash.write(bytes)
    this.#size += bytes.length
    for (let at = 0; at < bytes.length; ) {
      const some = bytes.subarray(at, at + PART_BYTES - this.#length)
      this.#append(some)
      at += some.length
      if (this.#length === PART_BYTES) await this.#flush()
    }
  }

  async finish(): Promise<Stored> {
    await this.#hash.close()
    if (this.#upload) {
      if (this.#length > 0) await this.#flush()
      await this.#upload.complete(this.#parts)
    } else await this.#bucket.put(this.#key, this.#buffer.subarray(0, this.#length))
    return { size: this.#size, checksum: `sha256:${hex(await this.#digest.digest)}` }
  }

  async abort(): Promise<void> {
    await this.#hash.abort().catch(() => undefined)
    this.#digest.digest.catch(() => undefined)
    await this.#upload?.abort()
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.min(PART_BYTES, Math.max(needed, this.#buffer.length * 2)))
      larger.set(this.#buffer.subarray(0, this.#length))
      this.#buffer = larger
    }
    this.#buffer.set(bytes, this.#length)
    this.#length = needed
  }

  async #flush(): Promise<void> {
    this.#upload ??= await this.#bucket.createMultipartUpload(this.#key)
    const part = this.#buffer.subarray(0, this.#length)
    this.#parts.push(await this.#upload.uploadPart(this.#parts.length + 1, part))
    this.#length = 0
  }
}

function hex(digest: ArrayBuffer): string {
  return [...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, '0')).join('')
}
