import { DatabaseSync } from 'node:sqlite'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { recordEngine, sqliteVersion } from '@cadmus/testing/engine-versions'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { instanceSchemaOf } from './instance-schema.ts'
import { engines } from './testing/engines.ts'
import { packageOf } from './testing/packages.ts'

const count = proofCount('instance', 8, 500)
const seeds = Array.from({ length: count }, (_, index) => proofSeed() + index)
const modelOf = (seed: number) => packageOf(arbitraryModel(seed), seed)

describe(`Tables of an instance for ${count} packages`, () => {
  it('are created by SQLite', () => {
    recordEngine('SQLite', sqliteVersion)
    const start = performance.now()
    for (const seed of seeds) {
      const database = new DatabaseSync(':memory:')
      const { statements, schema } = instanceSchemaOf(modelOf(seed), 'sqlite')
      for (const statement of statements) expect(() => database.exec(statement), `seed ${seed}`).not.toThrow()
      const tables = database.prepare(
        "SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'",
      )
      expect(tables.get()).toEqual({ n: schema.tables.length })
      database.close()
    }
    recordProof({
      name: 'Tables of an instance are made by SQLite',
      counts: { packages: count },
      durationMs: performance.now() - start,
    })
  })

  for (const [dialect, name] of [
    ['postgresql', 'PostgreSQL'],
    ['mysql', 'MariaDB'],
    ['hsql', 'HSQLDB'],
  ] as const) {
    const engine = Object.values(engines[dialect])[0]
    it.skipIf(!engine?.availability.present)(`are created by ${name} ${engine?.availability.advice}`, async () => {
      const start = performance.now()
      const server = await engine?.start()
      let created = 0
      try {
        for (const seed of seeds) {
          const database = await server?.createDatabase()
          const { statements } = instanceSchemaOf(modelOf(seed), dialect)
          await expect(
            database?.execute(statements.map(text => `${text};\n`).join('')),
            `seed ${seed}`,
          ).resolves.not.toThrow()
          await database?.drop()
          created += 1
        }
      } finally {
        await server?.stop()
      }
      expect(created).toBe(count)
      recordProof({
        name: `Tables of an instance are created by ${name}`,
        counts: { packages: count },
        durationMs: performance.now() - start,
      })
    })
  }
})
