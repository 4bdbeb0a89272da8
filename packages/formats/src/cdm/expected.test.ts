import { noTarget } from './guidance.ts'
import * as z from 'zod'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasSharedCdm, sharedFolder, sharedJson } from '../testing/shared-cdm.ts'
import { folderOfPath } from './corpus.ts'
import { loadFolder, type CdmFolder } from './folder.ts'
import { Lookup, splitPath } from './lookup.ts'
import { isKey, type ResolvedAttribute, type ResolvedEntity } from './resolved.ts'
import { Resolver } from './resolve.ts'
import { corpusPathOf, definitionIn, type LocatedEntity } from './scope.ts'

const expectedSchema = z.record(
  z.string(),
  z.object({
    entityName: z.string(),
    declared: z.boolean(),
    extendsChain: z.array(z.string()),
    attributes: z.array(
      z.object({
        name: z.string(),
        dataFormat: z.string(),
        dataType: z.string(),
        purpose: z.string().optional(),
        isPrimaryKey: z.boolean(),
        isNullable: z.boolean(),
        maximumLength: z.number().optional(),
        isReadOnly: z.boolean().optional(),
        displayName: z.string().optional(),
        valueConstrainedToList: z.boolean().optional(),
        sourceName: z.string().optional(),
        choices: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
        references: z.array(z.object({ entity: z.string(), attribute: z.string() })).optional(),
      }),
    ),
  }),
)

const expected = hasSharedCdm ? expectedSchema.parse(sharedJson('expected/entities.json')) : {}

describe.skipIf(!hasSharedCdm)('resolving real CDM documents', () => {
  let folder: CdmFolder
  let lookup: Lookup
  let resolver: Resolver

  beforeAll(() => {
    folder = loadFolder(sharedFolder('schemaDocuments'), { root: 'standards.manifest.cdm.json' })
    // Most expectations belong to this root; other documents are loaded in addition.
    for (const path of Object.keys(expected)) folder.corpus.load(splitPath(path).path.slice(1), () => {})
    lookup = new Lookup(folder.corpus)
    resolver = new Resolver(lookup, folder.report)
  })

  it('the expectations cover 42 entities', () => {
    expect(Object.keys(expected)).toHaveLength(42)
  })

  it.each(Object.entries(expected))('the resolved entity matches the expectation: %s', (path, expectation) => {
    const entity = entityAt(path, folder)
    const resolved = resolver.resolve(entity)
    expect(entity.is.name).toBe(expectation.entityName)
    expect(resolved.chain.slice(0, -1).toReversed().map(corpusPathOf)).toEqual(expectation.extendsChain)
    const attributes = [...resolved.attributes.values()].map((attribute, index) => ({
      ...described(attribute, resolved, lookup),
      // The expectation omits display names that depended on the import order.
      ...(expectation.attributes[index]?.displayName === undefined
        ? {}
        : { displayName: attribute.attribute.displayName }),
    }))
    expect(attributes.map(attribute => attribute.name)).toEqual(expectation.attributes.map(attribute => attribute.name))
    expect(attributes).toEqual(expectation.attributes.map(({ valueConstrainedToList: _, ...attribute }) => attribute))
  })

  it('real CDM documents resolve without report lines except three missing value lists and trait notes of data types', () => {
    const meaningTrait = /^The trait "means\.[\w.]+" on the reference to a data type was left out\.$/
    const gathered =
      /^The (?:property|properties|trait) .* of \d+ (?:attributes|entities|attribute groups) (?:was|were) not kept\.$/
    const lines = folder.report.lines().filter(({ message }) => !meaningTrait.test(message) && !gathered.test(message))
    expect(lines.map(({ message }) => message.replace(/ \(\d+ times\)$/, ''))).toEqual(lines.map(() => noTarget))
    expect(lines.map(({ path }) => path.slice(path.indexOf('.cdm.json/')))).toEqual([
      '.cdm.json/ActivityCommon/activity',
      '.cdm.json/ActivityCommon/regardingObject',
      '.cdm.json/Email/Account_sendersAccount',
    ])
  })
})

function described({ attribute, written, reference }: ResolvedAttribute, of: ResolvedEntity, lookup: Lookup) {
  const resolution = { view: of.entity.in, written }
  const choices = lookup.choices(attribute, resolution).map(({ value, label }) => ({ value: String(value), label }))
  return {
    name: attribute.name,
    dataFormat: lookup.format(attribute, resolution),
    dataType: attribute.dataType,
    purpose: attribute.purpose,
    isPrimaryKey: isKey(attribute),
    isNullable: attribute.isNullable ?? false,
    maximumLength: attribute.maximumLength,
    isReadOnly: attribute.isReadOnly,
    sourceName: attribute.sourceName,
    choices: choices.length > 0 ? choices : undefined,
    references: reference && [
      ...reference.targets.map(target => ({ entity: corpusPathOf(target.entity), attribute: target.attribute })),
      // Links in the source that refer to missing documents, relative to the folder of the document.
      ...reference.unknown.map(({ name, attribute }) => ({
        entity: `/${folderOfPath(written.document.path)}/${name}`,
        attribute,
      })),
    ],
  }
}

function entityAt(corpusPath: string, folder: CdmFolder): LocatedEntity {
  const { path, object = '' } = splitPath(corpusPath)
  const document = folder.corpus.load(path.slice(1), () => {})
  const definition = document && definitionIn(document, 'entities', object)
  if (!definition) throw new Error(`${corpusPath} is not there.`)
  return definition
}
