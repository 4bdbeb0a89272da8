import { gzipSync } from 'node:zlib'
import { writeArchive } from '@cadmus/formats/archive'
import { createEntity } from '@cadmus/model/contract/entity'
import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConsoleClient } from '../apps/server/src/testing/client.ts'
import { startConsole, type TestConsole } from '../apps/server/src/testing/console.ts'
import { rawZip } from '../apps/server/src/testing/raw-zip.ts'
import { measureSlowest } from '../apps/server/src/testing/rejections.ts'

const megabyte = 1024 * 1024
const table = 'CREATE TABLE t (id int PRIMARY KEY);\n'

describe('Hostile scripts sent to the import', () => {
  let server: TestConsole
  let designer: ConsoleClient
  let quiet: { other: ConsoleClient; entityId: number }
  beforeAll(async () => {
    server = await startConsole()
    designer = await server.as('designer')
    const { entity } = await designer.call(createEntity, { body: { entity: { name: 'Small' } } })
    quiet = { other: server.bootstrap('ACME'), entityId: entity.id }
  })
  afterAll(() => server.stop())

  const form = (name: string, bytes: Uint8Array) => ({
    fields: { importAs: 'DATABASE_STRUCTURE' as const },
    files: { manifestFile: { name, bytes } },
  })

  it.each<[string, string, () => Uint8Array, RegExp]>([
    [
      'a gzip bomb',
      'bomb.sql.gz',
      () => gzipSync(Buffer.alloc(512 * megabyte, table)),
      /unpacks to|larger|compressed/i,
    ],
    ['a gzip bomb of many members', 'members.sql.gz', members, /unpacks to|larger|compressed/i],
    [
      'a zip bomb',
      'bomb.zip',
      () => rawZip('a.sql', Buffer.alloc(512 * megabyte, table)),
      /unpacks to|larger|compressed/i,
    ],
    ['a gzip bomb in a zip', 'inner.zip', inner, /unpacks to|larger|compressed/i],
    [
      'a zip in a zip',
      'nested.zip',
      () => rawZip('a.zip', Buffer.from(rawZip('a.sql', Buffer.from(table)))),
      /no \.sql/,
    ],
    ['a script that does not end', 'quote.sql', () => Buffer.from(`${table}INSERT INTO t VALUES ('`), /does not end/],
  ])('%s is refused with its reason while others are answered', async (_, name, make, reason) => {
    const bytes = new Uint8Array(make())
    const { slowest } = await measureSlowest(server, quiet, async () => {
      const { status, answer } = await designer.refusal(importManifest, form(name, bytes))
      expect([400, 413]).toContain(status)
      expect(answer.message).toMatch(reason)
    })
    expect(slowest).toBeLessThan(2000)
  })

  it('10,000 scripts in a zip are imported while others are answered', async () => {
    const scripts = Array.from(
      { length: 10_000 },
      (_, at) => [`m/${at}_step.sql`, `ALTER TABLE t ADD c${at} int;\n`] as const,
    )
    const bytes = writeArchive(new Map([['m/0_first.sql', table], ...scripts.slice(0, 1000), ...others(scripts)]))
    const { slowest } = await measureSlowest(server, quiet, async () => {
      const { counts } = await designer.call(importManifest, form('steps.zip', bytes))
      expect(counts.entities).toBe(1)
    })
    expect(slowest).toBeLessThan(2000)
  })
})

/** Comments instead of columns, of which no table has 10,000. */
function others(scripts: readonly (readonly [string, string])[]): [string, string][] {
  return scripts.slice(1000).map(([path]) => [path, `COMMENT ON TABLE t IS '${path}';\n`])
}

function members(): Buffer {
  const one = gzipSync(Buffer.alloc(megabyte, table))
  return Buffer.concat(Array.from({ length: 512 }, () => one))
}

function inner(): Uint8Array {
  return rawZip('a.sql.gz', gzipSync(Buffer.alloc(512 * megabyte, table)))
}
