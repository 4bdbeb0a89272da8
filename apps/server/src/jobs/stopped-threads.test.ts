import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../../..')

it('stopping a thread during compression ends no other thread', async () => {
  const code = `
    import { deflated, deflatedPiece, gzipped, inflated } from '${new URL('../../../../packages/formats/src/deflate.ts', import.meta.url).href}'
    import { parentPort } from 'node:worker_threads'
    const bytes = new Uint8Array(100).fill(7)
    parentPort.postMessage('works')
    for (;;) {
      inflated(deflated(bytes), 100)
      deflatedPiece(bytes)
      gzipped(bytes)
    }`
  const threads = Array.from({ length: 20 }, async (_, at) => {
    const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
    await once(thread, 'message')
    await new Promise(done => setTimeout(done, 5 + at))
    return thread.terminate()
  })
  expect(await Promise.all(threads)).toEqual(threads.map(() => 1))
})

it.each(['worker.ts', 'reader.ts'])('%s creates no object of node:zlib', entry => {
  const files = reached(join(import.meta.dirname, entry))
  expect(files.size).toBeGreaterThan(20)
  const uses = [...files].flatMap(([file, text]) =>
    [...text.matchAll(/import \{([^}]*)\} from 'node:zlib'/g)]
      .flatMap(([, names = '']) => names.split(','))
      // Plain functions, which create no object, and decompression of reports, which runs elsewhere.
      .filter(name => !['crc32', 'gunzipSync'].includes(name.trim()))
      .map(name => `${file}: ${name.trim()}`),
  )
  expect(uses).toEqual([])
})

/** Returns the sources a file imports from this repository, by path. */
function reached(file: string, existing = new Map<string, string>()): Map<string, string> {
  if (existing.has(file)) return existing
  const text = readFileSync(file, 'utf8')
  existing.set(file, text)
  for (const [, target = ''] of text.matchAll(/^(?:import|export) (?!type )[^']*?from '([^']+)'/gm)) {
    const [, room, path] = /^@cadmus\/(\w+)\/(.+)$/.exec(target) ?? []
    if (target.startsWith('.')) reached(resolve(dirname(file), target), existing)
    else if (room !== undefined) reached(join(root, 'packages', room, 'src', `${path}.ts`), existing)
  }
  return existing
}
