import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { gzipOf, pieceOf, plainOf } from './problem-writer.ts'

const text = (length: number) => Buffer.from('{"severity":"warning"},'.repeat(length))

it.each([
  ['nothing', []],
  ['a piece in which nothing is', [Buffer.alloc(0)]],
  ['one', [text(1)]],
  ['those that cannot be made smaller', [randomBytes(300_000), text(2), randomBytes(1)]],
  ['a hundred', Array.from({ length: 100 }, (_none, index) => text(index))],
])('separately compressed pieces form one gzip file: %s', (_what, parts) => {
  const pieces = parts.map(pieceOf)
  const gzip = gzipOf(pieces)
  expect(gunzipSync(gzip).equals(Buffer.concat(parts))).toBe(true)
  expect(Buffer.concat(parts).equals(plainOf(pieces))).toBe(true)
  expect(() => brotliDecompressSync(gzip)).toThrow()
})

it('the gzip file has a single member, as browsers require', async () => {
  const random = seededRandom(7)
  const parts = Array.from({ length: 40 }, () => text(random.between(0, 900)))
  const gzip = gzipOf(parts.map(pieceOf))
  // Unlike gunzipSync, this rejects data after the first member.
  const read = new Response(new Blob([gzip]).stream().pipeThrough(new DecompressionStream('gzip')))
  expect(Buffer.from(await read.arrayBuffer()).equals(Buffer.concat(parts))).toBe(true)
  const twice = new Blob([gzip, gzip]).stream().pipeThrough(new DecompressionStream('gzip'))
  await expect(new Response(twice).arrayBuffer()).rejects.toThrow()
})

it('a piece fits anywhere and may be repeated', () => {
  const [a, b] = [pieceOf(text(20)), pieceOf(randomBytes(2000))]
  const order = [a, b, b, a, a]
  expect(gunzipSync(gzipOf(order)).equals(Buffer.from(plainOf(order)))).toBe(true)
})

it('a piece uses no more memory than its bytes', () => {
  const { deflated } = pieceOf(text(20))
  expect(deflated.buffer.byteLength).toBe(deflated.length)
})
