import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const limit = 145_000

type Chunk = Rolldown.OutputChunk

async function built(): Promise<Chunk[]> {
  // vitest sets 'test', which would include the development code of libraries.
  vi.stubEnv('NODE_ENV', 'production')
  const result = await build({
    configFile: join(import.meta.dirname, '../apps/web/vite.config.ts'),
    logLevel: 'silent',
    build: { write: false },
  })
  if (!('output' in result)) throw new Error('The build has several outputs.')
  return result.output.filter(file => file.type === 'chunk')
}

/** The chunks with all their static imports. */
function closure(chunks: readonly Chunk[], roots: readonly Chunk[]): Set<Chunk> {
  const found = new Set<Chunk>()
  const waiting = [...roots]
  for (let chunk = waiting.pop(); chunk; chunk = waiting.pop()) {
    if (found.has(chunk)) continue
    found.add(chunk)
    waiting.push(...chunks.filter(other => chunk?.imports.includes(other.fileName)))
  }
  return found
}

describe('the first load', () => {
  let chunks: Chunk[]
  beforeAll(async () => {
    chunks = await built()
  })
  afterAll(() => vi.unstubAllEnvs())

  it('the first load is at most 145 kB of JavaScript (gzip) without dialogs', () => {
    const roots = chunks.filter(chunk => chunk.moduleIds.some(id => /\/src\/(main|workspace)\.tsx$/.test(id)))
    expect(roots.flatMap(chunk => chunk.moduleIds.filter(id => /\/src\/(main|workspace)\.tsx$/.test(id)))).toHaveLength(
      2,
    )
    const first = closure(chunks, roots)
    const start = readFileSync(join(import.meta.dirname, '../apps/web/public/start.js'))
    const codes = [start, ...[...first].map(chunk => chunk.code)]
    const bytes = codes.reduce((sum, code) => sum + gzipSync(code).length, 0)
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThanOrEqual(limit)
    const modules = [...first].flatMap(chunk => chunk.moduleIds)
    expect(modules.filter(id => /(Dialog|Wizard)\.tsx$/.test(id))).toEqual([])
    // The workspace needs only the addresses of calls; their schemas take longer to build than the tree to render.
    const declared = modules.flatMap(id => /\/model\/src\/contract\/([\w-]+)\.ts$/.exec(id)?.[1] ?? [])
    expect(declared.toSorted()).toEqual(['routes'])
    expect(modules.filter(id => id.includes('/zod/'))).toEqual([])
    // Its texts are those of `messages/first-load.ts`.
    expect(modules.filter(id => id.endsWith('/model/src/messages.ts'))).toEqual([])
    // Only code that runs at once is compiled eagerly, off the main thread.
    const ahead = chunks.filter(chunk => chunk.code.startsWith('//# allFunctionsCalledOnLoad\n'))
    expect(ahead.map(chunk => chunk.name).toSorted()).toEqual(['vendor', 'workspace'])
  })

  it('the home screen and the status bar load no dialogs', () => {
    for (const shown of ['home/HomeScreen', 'problems/ProblemStatus']) {
      const roots = chunks.filter(chunk => chunk.moduleIds.some(id => id.endsWith(`/${shown}.tsx`)))
      expect(roots.map(chunk => chunk.name)).toHaveLength(1)
      expect([...closure(chunks, roots)].map(chunk => chunk.name)).not.toContain('dialogs')
    }
  })

  it('the text of a model with its reader is at most 33 kB (gzip), and the first load has nothing of it', () => {
    const [text] = chunks.filter(chunk => chunk.moduleIds.some(id => id.endsWith('/text/TextPane.tsx')))
    if (!text) throw new Error('There is no chunk of the text.')
    expect(text.moduleIds.some(id => id.endsWith('/model/src/text/read.ts'))).toBe(true)
    expect(text.moduleIds.filter(id => /codemirror|lezer/.test(id))).toEqual([])
    expect(gzipSync(text.code).length).toBeLessThanOrEqual(33_000)
    const roots = chunks.filter(chunk => chunk.moduleIds.some(id => /\/src\/(main|workspace)\.tsx$/.test(id)))
    expect(closure(chunks, roots).has(text)).toBe(false)
  })

  it('the bundle injects no style elements or inline scripts, which the Content-Security-Policy forbids', () => {
    const own = chunks.filter(chunk => chunk.moduleIds.some(id => id.includes('/apps/web/src/')))
    expect(own.length).toBeGreaterThan(2)
    for (const chunk of own) expect(chunk.code).not.toMatch(/createElement\(["'`]style["'`]\)/)
  })
})
