import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sqlExportSchema } from './configuration.ts'
import { canonicalJson, configurationContent, readConfigurationContent, entityForm, manifestForm } from './content.ts'
import { readStored } from './stored/stored-form.ts'
import configuration1 from '../samples/configuration-content/1-full.json' with { type: 'json' }
import configuration2 from '../samples/configuration-content/2-full.json' with { type: 'json' }
import entity1 from '../samples/entity/1-full.json' with { type: 'json' }
import entity2 from '../samples/entity/2-full.json' with { type: 'json' }
import manifest1 from '../samples/manifest/1-full.json' with { type: 'json' }

describe('canonical JSON', () => {
  it('canonical JSON has one order of keys and no spaces', () => {
    expect(canonicalJson({ b: [1, { d: 1, c: 'é"' }], a: null, e: undefined })).toBe(
      '{"a":null,"b":[1,{"c":"é\\"","d":1}]}',
    )
  })

  it('canonical JSON keeps the value and does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
      }),
    )
  })
})

it('the canonical text of a content never changes, because stored hashes identify contents', () => {
  expect(createHash('sha256').update(canonicalJson(manifest1)).digest('hex')).toBe(HASH)
})

const HASH = '1346a34e14e52e7a05b175c1f9377847346a6c5ae776e73a15ab121f688c1d61'

describe('stored contents', () => {
  it('reads a stored sample of every format completely', () => {
    const entityAttributes = entity1.entityAttributes.map(item => ({ ...item, associatedEntityTypeAttributeUid: null }))
    const { format } = entityForm
    expect(readStored(entityForm, entity1)).toMatchObject({ ...entity1, format, entityAttributes })
    expect(readStored(entityForm, entity2)).toMatchObject({ ...entity2, format })
    const read = { ...manifest1, format: manifestForm.format, enumerations: [], dataSteps: [] }
    expect(readStored(manifestForm, manifest1)).toEqual(read)
    const { configuration, named } = readConfigurationContent(configuration1)
    const { configurationBuild } = configuration1
    // Added by format 2 of the configuration.
    const sqlExport = sqlExportSchema.parse({})
    expect(configuration).toEqual({
      ...configuration1,
      configurationFormat: 3,
      configurationBuild: { ...configurationBuild, sqlExport },
    })
    expect(named).toEqual([])
    const content = { configuration, named: configuration2.named }
    expect(readConfigurationContent(configuration2)).toEqual(content)
    expect(configurationContent(content)).toEqual({ ...configuration2, ...configuration })
  })

  it('rejects an unknown format of a stored content', () => {
    for (const wrong of [
      null,
      [],
      'x',
      {},
      { ...entity1, format: 0 },
      { ...entity1, format: entityForm.format + 1 },
      { ...entity1, name: 5 },
    ]) {
      expect(() => readStored(entityForm, wrong)).toThrow()
    }
    expect(() => readStored(manifestForm, { ...manifest1, format: 99 })).toThrow()
    for (const wrong of [null, [], 'x', { ...configuration2, format: 3 }, { ...configuration2, named: ['Customer'] }]) {
      expect(() => readConfigurationContent(wrong)).toThrow()
    }
  })
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  )
}
