import { deflateRawSync, crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readArchive, writeArchive } from './archive.ts'
import { ImportError, type ImportErrorCode } from './import-error.ts'

type Part = {
  name: string
  content?: string
  mode?: number
  flags?: number
  method?: number
  declaredSize?: number
  crc?: number
}

describe('decisions §8: zip archive limits protect the server', () => {
  it('zip archives round-trip in sorted order, and identical files give identical bytes', () => {
    const files = new Map<string, string | Uint8Array>([
      ['b/ü.json', '{"a":1}'],
      ['a.json', new Uint8Array([1, 2, 3])],
      ['empty', ''],
    ])
    const bytes = writeArchive(files)
    const read = readArchive(bytes)
    expect([...read.keys()]).toEqual(['a.json', 'b/ü.json', 'empty'])
    expect(text(read.get('b/ü.json'))).toBe('{"a":1}')
    expect(read.get('a.json')).toEqual(Uint8Array.of(1, 2, 3))
    expect(text(read.get('empty'))).toBe('')
    expect(read.get('c')).toBeUndefined()
    expect(writeArchive(new Map([...files].toReversed()))).toEqual(bytes)
  })

  it('readArchive leaves folder entries out', () => {
    expect([...readArchive(zip([{ name: 'a/' }, { name: 'a/b.json', content: '{}' }])).keys()]).toEqual(['a/b.json'])
  })

  it.each<[string, ImportErrorCode, Part[]]>([
    ['an absolute path', 'zip-path', [{ name: '/etc/passwd' }]],
    ['a drive', 'zip-path', [{ name: 'C:evil' }]],
    ['a path with ..', 'zip-path', [{ name: 'a/../../b' }]],
    ['a backslash', 'zip-path', [{ name: 'a\\b' }]],
    ['a NUL', 'zip-path', [{ name: 'a\0b' }]],
    ['an empty name', 'zip-path', [{ name: '' }]],
    ['a symbolic link', 'zip-link', [{ name: 'a', content: '/etc/passwd', mode: 0o120777 }]],
    ['a device', 'zip-link', [{ name: 'a', mode: 0o020666 }]],
    ['an encrypted entry', 'zip-unsupported', [{ name: 'a', flags: 1 }]],
    ['an unsupported compression method', 'zip-unsupported', [{ name: 'a', method: 14 }]],
    ['a duplicate name', 'zip-broken', [{ name: 'a' }, { name: 'a' }]],
  ])('readArchive refuses %s', (_, code, parts) => {
    expectRefused(() => readArchive(zip(parts)), code)
  })

  it('readArchive refuses too many entries, too many bytes and a compression ratio above the limit', () => {
    const three = zip(['a', 'b', 'c'].map(name => ({ name, content: 'x'.repeat(100) })))
    expectRefused(() => readArchive(three, { entries: 2, unpacked: 1000, ratio: 200 }), 'zip-too-many-entries')
    expectRefused(() => readArchive(three, { entries: 3, unpacked: 299, ratio: 200 }), 'zip-too-large')
    expect(() => readArchive(three, { entries: 2, unpacked: 1000, ratio: 200 })).toThrow(
      /has 3 entries; it may have at most 2/,
    )
    expect(() => readArchive(three, { entries: 3, unpacked: 299, ratio: 200 })).toThrow(/unpacks to 1 MB; it may/)
    expect(readArchive(three, { entries: 3, unpacked: 300, ratio: 200 }).size).toBe(3)
    expectRefused(() => readArchive(zip([{ name: 'zeros', content: '0'.repeat(20_000_000) }])), 'zip-ratio')
    const many = Array.from({ length: 20_001 }, (_, index) => ({ name: `${index}` }))
    expectRefused(() => readArchive(zip(many)), 'zip-too-many-entries')
  })

  it('readArchive refuses an entry count that overflowed 16 bits or is lower than the number of entries', () => {
    const many = zip(Array.from({ length: 65_536 + 3 }, (_, index) => ({ name: `${index}` })))
    expectRefused(() => readArchive(many), 'zip-broken')
    const three = Buffer.from(zip([{ name: 'a' }, { name: 'b' }, { name: 'c' }]))
    three.writeUInt16LE(2, three.length - 12)
    expectRefused(() => readArchive(three), 'zip-broken')
  })

  it('readArchive refuses ZIP64 archives, whatever the short end record contains', () => {
    const plain = Buffer.from(zip([{ name: 'a' }]))
    const locator = Buffer.alloc(20)
    locator.writeUInt32LE(0x07064b50, 0)
    const long = Buffer.concat([plain.subarray(0, -22), locator, plain.subarray(-22)])
    expectRefused(() => readArchive(long), 'zip-unsupported')
  })

  it('readArchive refuses content that differs from its header', () => {
    const bomb = readArchive(zip([{ name: 'bomb', content: '0'.repeat(50_000_000), declaredSize: 100 }]))
    expectRefused(() => bomb.get('bomb'), 'zip-broken')
    expectRefused(() => readArchive(zip([{ name: 'a', content: 'abc', declaredSize: 4 }])).get('a'), 'zip-broken')
    expectRefused(() => readArchive(zip([{ name: 'a', content: 'abc', crc: 1 }])).get('a'), 'zip-broken')
  })

  it('readArchive throws only ImportError for data that is not a zip and for every truncation of a zip', () => {
    const whole = writeArchive(new Map([['a.json', '{"a":1}'.repeat(40)]]))
    for (const bytes of [new Uint8Array(), new TextEncoder().encode('{"a":1}'), new Uint8Array(100)]) {
      expectRefused(() => readArchive(bytes), 'zip-broken')
    }
    for (let length = 0; length < whole.length; length++) {
      expectRefused(() => readArchive(whole.subarray(0, length)), 'zip-broken')
    }
    for (let at = 0; at < whole.length; at++) {
      const changed = whole.slice()
      changed[at] = 255 - (changed[at] ?? 0)
      expectOnlyImportErrors(() => [...readArchive(changed).keys()].map(path => readArchive(changed).get(path)))
    }
  })
})

function expectRefused(run: () => unknown, code: ImportErrorCode): void {
  expect(outcomeOf(run)).toBe(code)
}

function expectOnlyImportErrors(run: () => unknown): void {
  expect(outcomeOf(run)).not.toBe('another error')
}

function outcomeOf(run: () => unknown): ImportErrorCode | 'no error' | 'another error' {
  try {
    run()
  } catch (error) {
    return error instanceof ImportError ? error.code : 'another error'
  }
  return 'no error'
}

function text(content: Uint8Array | string | undefined): string | undefined {
  return content instanceof Uint8Array ? new TextDecoder().decode(content) : content
}

/** Builds a zip by hand because zip libraries refuse to write the invalid headers that these tests need. */
function zip(parts: Part[]): Uint8Array {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const part of parts) {
    const name = Buffer.from(part.name)
    const content = Buffer.from(part.content ?? '')
    // Empty content uses a precomputed deflate stream; a compressor for each of thousands of empty files would be
    // slow.
    const packed = content.length === 0 ? Buffer.from([3, 0]) : deflateRawSync(content)
    const local = Buffer.concat([header(30, 0x04034b50, part, content, packed, name, 0), name, packed])
    directory.push(Buffer.concat([header(46, 0x02014b50, part, content, packed, name, offset), name]))
    locals.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  // The 16-bit count wraps, as in writers without ZIP64 support.
  end.writeUInt16LE(parts.length % 65_536, 8)
  end.writeUInt16LE(parts.length % 65_536, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, list, end])
}

function header(
  length: 30 | 46,
  signature: number,
  part: Part,
  content: Buffer,
  packed: Buffer,
  name: Buffer,
  offset: number,
) {
  const bytes = Buffer.alloc(length)
  const shift = length === 46 ? 2 : 0
  bytes.writeUInt32LE(signature, 0)
  bytes.writeUInt16LE(part.flags ?? 0x800, 6 + shift)
  bytes.writeUInt16LE(part.method ?? 8, 8 + shift)
  bytes.writeUInt32LE(part.crc ?? crc32(content), 14 + shift)
  bytes.writeUInt32LE(packed.length, 18 + shift)
  bytes.writeUInt32LE(part.declaredSize ?? content.length, 22 + shift)
  bytes.writeUInt16LE(name.length, 26 + shift)
  if (length === 46) {
    bytes.writeUInt32LE(((part.mode ?? 0) << 16) >>> 0, 38)
    bytes.writeUInt32LE(offset, 42)
  }
  return bytes
}
