import { readGzip } from '../archive.ts'
import { ImportError, quoted } from '../import-error.ts'

/** `remark`: how the text was read, where that is a guess. */
export type ScriptText = { text: string; remark: string | null }

/** The text of a script of any tool, which may be compressed with gzip. Throws ImportError for what is no text or too large. */
export function scriptText(content: Uint8Array | string, path: string, maxBytes: number): ScriptText {
  if (typeof content === 'string') return { text: content.replace(/^\uFEFF/, ''), remark: null }
  const bytes = content[0] === 0x1f && content[1] === 0x8b ? readGzip(content, path, maxBytes) : content
  refuseContainers(bytes, path)
  const { encoding, isMarked } = encodingOf(bytes)
  const text = decoded(bytes, encoding)
  if (text !== null) {
    const remark = isMarked || encoding === 'utf-8' ? null : `It has no byte-order mark; it was read as UTF-16.`
    return { text, remark }
  }
  if (isMarked || hasControls(bytes)) throw new ImportError('not-text', `${quoted(path)} is no text.`)
  const remark = 'It is not UTF-8; it was read as Windows-1252. Check letters with accents.'
  return { text: new TextDecoder('windows-1252').decode(bytes), remark }
}

const latin1 = (bytes: Uint8Array, start: number, end: number) => String.fromCharCode(...bytes.subarray(start, end))

/** Archives that are not text, but that people expect to be read. */
function refuseContainers(bytes: Uint8Array, path: string): void {
  if (latin1(bytes, 0, 5) === 'PGDMP') {
    const advice = 'Make text of it with: pg_restore --schema-only --file=schema.sql'
    throw new ImportError('not-text', `${quoted(path)} is a backup in the custom format of pg_dump. ${advice}`)
  }
  if (latin1(bytes, 257, 262) === 'ustar') {
    throw new ImportError('not-text', `${quoted(path)} is a tar archive. Pack the scripts as a zip instead.`)
  }
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Bytes that are enough to recognize UTF-16 without byte-order mark. */
const sampleBytes = 4096

function encodingOf(bytes: Uint8Array): { encoding: Encoding; isMarked: boolean } {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', isMarked: true }
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', isMarked: true }
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: 'utf-8', isMarked: true }
  const zeros = [0, 0]
  const sample = bytes.subarray(0, sampleBytes)
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  // Keywords and spaces have a zero byte each.
  const enough = sample.length / 8
  if (odd > enough && even === 0) return { encoding: 'utf-16le', isMarked: false }
  if (even > enough && odd === 0) return { encoding: 'utf-16be', isMarked: false }
  return { encoding: 'utf-8', isMarked: false }
}

function decoded(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Whether there are control characters that no text has. Ctrl+Z ends a file of old tools. */
function hasControls(bytes: Uint8Array): boolean {
  return bytes.some(byte => byte < 9 || (byte > 13 && byte < 32 && byte !== 0x1a && byte !== 0x1b))
}
