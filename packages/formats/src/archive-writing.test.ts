import fc from 'fast-check'
import { unzipSync } from 'fflate'
import { createHash } from 'node:crypto'
import { constants, inflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readArchive, writeArchive } from './archive.ts'
import { readDirectory } from './archive-directory.ts'

const bytes = fc.uint8Array({ maxLength: 3000 })
/** Repeats a few chunks at short and long distances. */
const repetitive = fc
  .tuple(fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 12 }), fc.nat())
  .chain(([pieces]) => fc.array(fc.constantFrom(...pieces), { maxLength: 400, size: 'max' }))
  .map(pieces => new Uint8Array(Buffer.concat(pieces)))

it('zip writer output is unpacked to the same files by two other implementations', () => {
  const contents = fc.array(fc.oneof(bytes, repetitive, fc.string({ unit: 'binary' })), { maxLength: 6 })
  fc.assert(
    fc.property(contents, all => {
      expectUnpacked(new Map(all.map((content, at) => [`folder ${at}/ü.json`, content])))
    }),
    { seed: 20261126, numRuns: 60 },
  )
})

it('zip writer handles a single repeated byte, incompressible data, many blocks and symbols of every frequency', () => {
  const fibonacci: number[] = []
  for (let [symbol, one, two] = [0, 1, 1]; symbol < 22; [symbol, one, two] = [symbol + 1, two, one + two]) {
    for (let count = 0; count < one; count += 1) fibonacci[count * 31 + symbol] = symbol
  }
  const noise = (length: number) =>
    Uint8Array.from({ length }, (_, at) => createHash('md5').update(String(at)).digest()[0] ?? 0)
  const files = [1, 2, 3, 4, 5, 258, 259, 262, 32_767, 32_768, 32_769, 100_000].flatMap(length => [
    new Uint8Array(length),
    noise(length),
  ])
  const far = Buffer.concat([noise(300), Buffer.alloc(32_468, 'ab'), noise(300), Buffer.alloc(40_000), noise(300)])
  const all = [...files, new Uint8Array(far), Uint8Array.from(fibonacci, value => value ?? 99), new Uint8Array()]
  expectUnpacked(new Map(all.map((content, at) => [`${at}`, content])))
})

it('zip writer output is identical on every machine', () => {
  const lines = Array.from({ length: 4000 }, (_, at) => `{"name":"entity${at % 97}","at":${at * 7919}}`)
  const zip = writeArchive(
    new Map([
      ['b/lines.json', lines.join('\n')],
      ['a/ü.txt', 'Grüße'],
      ['empty', ''],
    ]),
  )
  expect(createHash('sha256').update(zip).digest('hex')).toBe(
    'ab8f7c2a050f8afcec8e38f14fa1b84807b8015df5b8bc3ed4b02219b915357e',
  )
})

it('zip writer compresses text', () => {
  const text = Array.from({ length: 3000 }, (_, at) => `{ "name": "attribute${at}", "type": "string" }`).join('\n')
  expect(writeArchive(new Map([['a', text]])).length).toBeLessThan(text.length / 4)
})

/** Checks with zlib and fflate in addition to the product's own reader. */
function expectUnpacked(files: ReadonlyMap<string, Uint8Array | string>): void {
  const zip = writeArchive(files)
  const read = readArchive(zip)
  const unzipped = unzipSync(zip)
  const directory = readDirectory(zip, 1000)
  expect([...read.keys()].toSorted()).toEqual([...files.keys()].toSorted())
  for (const [path, content] of files) {
    const whole = Buffer.from(content)
    const entry = directory.get(path)
    const packed = zip.subarray(entry?.start, (entry?.start ?? 0) + (entry?.packedSize ?? 0))
    expect(packed.length).toBeLessThanOrEqual(whole.length)
    const inflated = entry?.method === 'deflated' ? inflateRawSync(packed, { finishFlush: constants.Z_FINISH }) : packed
    expect(Buffer.compare(Buffer.from(inflated), whole)).toBe(0)
    expect(Buffer.compare(Buffer.from(unzipped[path] ?? []), whole)).toBe(0)
    expect(Buffer.compare(Buffer.from(read.get(path) ?? []), whole)).toBe(0)
  }
}
