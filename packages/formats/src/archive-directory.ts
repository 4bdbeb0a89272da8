import { ImportError, quoted } from './import-error.ts'

/** A file of a zip as declared in the central directory. `start`: offset of its compressed bytes. */
export type ArchiveEntry = {
  path: string
  method: 'stored' | 'deflated'
  crc: number
  size: number
  packedSize: number
  start: number
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const longLocatorSignature = 0x07064b50
const endLength = 22
const longLocatorLength = 20
const entryLength = 46
const localLength = 30
/** Marks values that are stored in the ZIP64 record. */
const zip64Marker = 0xffffffff

/** Reads the central directory: files by path, without folders. Throws ImportError. */
export function readDirectory(bytes: Uint8Array, maxEntries: number): Map<string, ArchiveEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  const declaredOffset = view.getUint32(end + 16, true)
  if (view.getUint16(end + 4, true) !== 0) throw unsupported('it is split over several files')
  if (count === 0xffff || declaredOffset === zip64Marker || hasLongEnd(view, end))
    throw unsupported('it uses the ZIP64 format')
  if (count > maxEntries) {
    const message = `The archive has ${count} entries; it may have at most ${maxEntries}.`
    throw new ImportError('zip-too-many-entries', message)
  }
  const entries = new Map<string, ArchiveEntry>()
  let at = declaredOffset
  for (let index = 0; index < count; index++) {
    if (at + entryLength > end || view.getUint32(at, true) !== entrySignature) throw broken()
    const nameLength = view.getUint16(at + 28, true)
    const next = at + entryLength + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (next > end) throw broken()
    const entry = readEntry(view, bytes, at, nameLength)
    if (entry) {
      if (entries.has(entry.path))
        throw new ImportError('zip-broken', `The archive contains ${quoted(entry.path)} twice.`)
      entries.set(entry.path, entry)
    }
    at = next
  }
  // The directory must end after the declared number of entries; otherwise the count overflowed or is wrong.
  if (at !== declaredOffset + view.getUint32(end + 12, true)) throw broken()
  return entries
}

function readEntry(view: DataView, bytes: Uint8Array, at: number, nameLength: number): ArchiveEntry | undefined {
  const flags = view.getUint16(at + 8, true)
  const path = decodeName(bytes.subarray(at + entryLength, at + entryLength + nameLength), (flags & 0x800) !== 0)
  checkPath(path)
  checkKind(path, view.getUint32(at + 38, true))
  if (path.endsWith('/')) return undefined
  if ((flags & 1) !== 0) throw unsupported(`${quoted(path)} is encrypted`)
  const packedSize = view.getUint32(at + 20, true)
  const size = view.getUint32(at + 24, true)
  const offset = view.getUint32(at + 42, true)
  if (packedSize === zip64Marker || size === zip64Marker || offset === zip64Marker)
    throw unsupported('it uses the ZIP64 format')
  const method = methodOf(view.getUint16(at + 10, true), path)
  const start = startOf(view, offset)
  if (start + packedSize > bytes.length || (method === 'stored' && size !== packedSize)) throw broken()
  return { path, method, crc: view.getUint32(at + 16, true), size, packedSize, start }
}

function startOf(view: DataView, offset: number): number {
  if (offset + localLength > view.byteLength || view.getUint32(offset, true) !== localSignature) throw broken()
  return offset + localLength + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
}

function methodOf(method: number, path: string): ArchiveEntry['method'] {
  if (method === 0) return 'stored'
  if (method === 8) return 'deflated'
  throw unsupported(`${quoted(path)} is compressed with a method other than deflate`)
}

/** The end record precedes a comment of up to 65,535 bytes; the last match wins. */
function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - endLength - 0xffff)
  for (let at = view.byteLength - endLength; at >= lowest; at--) {
    if (view.getUint32(at, true) !== endSignature) continue
    if (at + endLength + view.getUint16(at + 20, true) <= view.byteLength) return at
  }
  throw new ImportError('zip-broken', 'This is not a zip archive, or it is truncated.')
}

/** The ZIP64 locator directly precedes the end record. */
function hasLongEnd(view: DataView, end: number): boolean {
  return end >= longLocatorLength && view.getUint32(end - longLocatorLength, true) === longLocatorSignature
}

function checkPath(path: string): void {
  const climbs = path.split('/').includes('..')
  if (
    path === '' ||
    climbs ||
    path.startsWith('/') ||
    path.includes('\\') ||
    path.includes('\0') ||
    /^[a-z]:/i.test(path)
  ) {
    throw new ImportError('zip-path', `The archive's entry ${quoted(path)} leads out of the folder.`)
  }
}

/** The upper half holds the Unix mode. Only regular files and folders are accepted, no symbolic links. */
function checkKind(path: string, attributes: number): void {
  const kind = (attributes >>> 16) & 0o170000
  if (kind === 0 || kind === 0o100000 || kind === 0o040000) return
  throw new ImportError('zip-link', `The archive's entry ${quoted(path)} is a link or a device, not a file.`)
}

function decodeName(name: Uint8Array, isUtf8: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name)
  } catch {
    if (isUtf8) throw broken()
    return new TextDecoder('latin1').decode(name)
  }
}

function broken(): ImportError {
  return new ImportError('zip-broken', 'The archive is damaged: its list of files does not fit its content.')
}

function unsupported(reason: string): ImportError {
  return new ImportError('zip-unsupported', `The archive cannot be read: ${reason}.`)
}
