import { formatCount } from '@cadmus/model/display'
import { crc32 } from 'node:zlib'
import { limits } from '@cadmus/model/limits'
import { readDirectory, type ArchiveEntry } from './archive-directory.ts'
import { gunzipped, inflated } from './deflate.ts'
import { ImportError, quoted } from './import-error.ts'
import { ZipWriter } from './zip-writer.ts'

/** Files by path, unpacked on access. A `Map` of texts or bytes is also valid. */
export interface Files {
  readonly size: number
  keys(): Iterable<string>
  get(path: string): Uint8Array | string | undefined
}

export type ArchiveLimits = { entries: number; unpacked: number; ratio: number }

const guards: ArchiveLimits = { entries: limits.zipEntries, unpacked: limits.zipUnpacked, ratio: limits.zipRatio }
/** Below this size a high ratio is harmless and common in small repetitive files. */
const smallFile = 1024 * 1024

/**
 * Opens the files of a zip, without folders. Names and sizes are checked immediately, contents on access: an entry
 * that inflates to anything other than declared is refused, so memory never exceeds the declared sizes. Throws
 * ImportError.
 */
export function readArchive(bytes: Uint8Array, limits: ArchiveLimits = guards): Files {
  const entries = readDirectory(bytes, limits.entries)
  checkSizes([...entries.values()], bytes.length, limits)
  return {
    size: entries.size,
    keys: () => entries.keys(),
    get: path => {
      const entry = entries.get(path)
      return entry && unpack(bytes, entry)
    },
  }
}

/** Unpacks gzip within the limits of a zip and `maxBytes`. Throws ImportError. */
export function readGzip(packed: Uint8Array, path: string, maxBytes: number): Uint8Array {
  const max = Math.min(maxBytes, guards.unpacked)
  try {
    const { content, members } = gunzipped(packed, length => {
      if (length > max) throw new ImportError('zip-too-large', tooLarge(length, max))
      if (length > smallFile && length > packed.length * guards.ratio) {
        throw new ImportError('zip-ratio', tooDense(path))
      }
    })
    // The checksum of several members is that of the last one only.
    if (members === 1 && crc32(content) !== checksumAtEnd(packed)) throw new RangeError('The checksum is another one.')
    return content
  } catch (error) {
    if (error instanceof ImportError) throw error
    throw new ImportError('zip-broken', damaged(path))
  }
}

/**
 * Writes files as a zip. The same files give the same bytes on every machine: entries are sorted, the date is fixed.
 */
export function writeArchive(files: ReadonlyMap<string, Uint8Array | string>): Uint8Array {
  const zip = new ZipWriter()
  for (const [path, content] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) zip.add(path, content)
  return zip.end()
}

function checkSizes(entries: readonly ArchiveEntry[], packed: number, limits: ArchiveLimits): void {
  const total = entries.reduce((sum, { size }) => sum + size, 0)
  if (total > limits.unpacked) throw new ImportError('zip-too-large', tooLarge(total, limits.unpacked))
  for (const { path, size, packedSize } of entries)
    if (size > smallFile && size > packedSize * limits.ratio) throw new ImportError('zip-ratio', tooDense(path))
  if (total > smallFile && total > packed * limits.ratio) throw new ImportError('zip-ratio', tooDense())
}

function unpack(bytes: Uint8Array, entry: ArchiveEntry): Uint8Array {
  const packed = bytes.subarray(entry.start, entry.start + entry.packedSize)
  const content = entry.method === 'stored' ? packed : inflate(packed, entry)
  if (content.length !== entry.size || crc32(content) !== entry.crc) {
    throw new ImportError('zip-broken', damaged(entry.path))
  }
  return content
}

function inflate(packed: Uint8Array, entry: ArchiveEntry): Uint8Array {
  if (entry.size === 0) return new Uint8Array()
  try {
    // The declared size limits the output during inflation.
    return inflated(packed, entry.size)
  } catch {
    throw new ImportError('zip-broken', damaged(entry.path))
  }
}

/** Of a gzip member: the four bytes before its length. */
function checksumAtEnd({ buffer, byteOffset, length }: Uint8Array): number {
  return new DataView(buffer, byteOffset, length).getUint32(length - 8, true)
}

function damaged(path: string): string {
  return `The archive is damaged: ${quoted(path)} cannot be unpacked.`
}

function tooLarge(bytes: number, max: number): string {
  const megabytes = (count: number) => formatCount(Math.ceil(count / (1024 * 1024)))
  return `The archive unpacks to ${megabytes(bytes)} MB; it may unpack to at most ${megabytes(max)} MB.`
}

function tooDense(path?: string): string {
  return path === undefined
    ? 'The archive is compressed more than real files can be.'
    : `The archive's file ${quoted(path)} is compressed more than a real file can be.`
}
