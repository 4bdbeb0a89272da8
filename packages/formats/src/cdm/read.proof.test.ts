import { entityAttributeSchema } from '@cadmus/model/entity-attribute'
import { typeAttributeSchema } from '@cadmus/model/type-attribute'
import { processorTime } from '@cadmus/testing/processor-time'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { expect, it } from 'vitest'
import { writeArchive, readArchive, type Files } from '../archive.ts'
import { cdmFolder, document, entityDocument, guided, key, manifest, projected } from '../testing/cdm-folder.ts'
import { mutateBytes, mutateJson, randomFrom, type Random } from '../testing/mutations.ts'
import { ImportError } from '../import-error.ts'
import { readCdm } from './read.ts'
import { exportableModels } from '../testing/exportable-model.ts'
import { writeCdm } from './write.ts'

const longest = 5_000

it('reading a mutated CDM folder gives a model or an ImportError in bounded time', () => {
  const count = proofCount('cdm_read', 1_000, 100_000)
  const random = randomFrom(proofSeed())
  const started = performance.now()
  const outcomes = { read: 0, refused: 0 }
  let slowest = 0
  for (let run = 0; run < count; run++) {
    const before = processorTime()
    outcomes[outcomeOf(random, run)]++
    slowest = Math.max(slowest, processorTime() - before)
  }
  expect(slowest).toBeLessThan(longest)
  // Guard against a vacuous proof: enough folders must be read, and enough refused.
  expect(outcomes.read).toBeGreaterThan(count / 10)
  expect(outcomes.refused).toBeGreaterThan(count / 50)
  recordProof({
    name: 'A mutated CDM folder or archive is read or refused by ImportError, never anything else',
    counts: { mutations: count, ...outcomes, slowestMs: Math.round(slowest) },
    durationMs: performance.now() - started,
  })
})

function outcomeOf(random: Random, run: number): 'read' | 'refused' {
  try {
    const model = readCdm(mutated(random))
    // The result must be cloneable between threads and hold only values that the store accepts.
    structuredClone(model)
    for (const { typeAttributes, entityAttributes } of model.entities) {
      typeAttributes.forEach(attribute => typeAttributeSchema.parse(attribute))
      entityAttributes.forEach(attribute => entityAttributeSchema.parse(attribute))
    }
    return 'read'
  } catch (error) {
    if (error instanceof ImportError) return 'refused'
    throw new Error(`Seed ${proofSeed()}, run ${run}: another error.`, { cause: error })
  }
}

/** Changes one document as JSON or text, removes a document, or changes bytes of the archive. */
function mutated(random: Random): Files {
  const files = new Map<string, string | Uint8Array>(random(4) === 0 ? exported : cdmFolder(structuredClone(valid)))
  const paths = [...files.keys()]
  const path = paths[random(paths.length)] ?? ''
  const content = String(files.get(path))
  const kind = random(20)
  if (kind < 14) {
    for (let times = random(4); times >= 0; times--) {
      const other = times === 0 ? path : (paths[random(paths.length)] ?? path)
      files.set(other, JSON.stringify(mutateJson(JSON.parse(String(files.get(other))), random)))
    }
  } else if (kind < 16) {
    files.set(path, mutateBytes(new TextEncoder().encode(content), random))
  } else if (kind < 17) {
    files.delete(path)
  } else if (kind < 18) {
    files.set(path, content.slice(0, random(content.length)))
  } else {
    return readArchive(mutateBytes(writeArchive(files), random))
  }
  return files
}

/** A folder as the export writes it, including the sidecar. */
const [model] = exportableModels(1, 7)
const exported = model ? writeCdm(model).files : new Map<string, string>()

const valid: Record<string, unknown> = {
  'root.manifest.cdm.json': manifest('Root', ['User.cdm.json/User', 'Team.cdm.json/Team', 'Deal.cdm.json/Deal'], {
    subManifests: [{ manifestName: 'sub', definition: 'sub/sub.manifest.cdm.json' }],
    relationships: [
      {
        fromEntity: 'Deal.cdm.json/Deal',
        fromEntityAttribute: 'userId',
        toEntity: 'User.cdm.json/User',
        toEntityAttribute: 'userId',
      },
    ],
  }),
  'sub/sub.manifest.cdm.json': manifest('sub', ['Deal.cdm.json/Deal', 'Local.cdm.json/Local']),
  'groups.cdm.json': document([
    {
      attributeGroupName: 'stamps',
      members: [{ name: 'createdOn', dataType: 'dateTime' }, guided('User', 'createdBy')],
    },
    { attributeGroupName: 'all', members: ['stamps', { name: 'note', dataType: 'string', maximumLength: 100 }] },
  ]),
  'User.cdm.json': entityDocument('User', [key('userId'), 'stamps', guided('User', 'managerId', 'userId')], {}, [
    'groups.cdm.json',
  ]),
  'Team.cdm.json': entityDocument(
    'Team',
    [key('teamId', 'bigInteger'), 'all', projected('User', 'userId', 'leadId')],
    {},
    ['User.cdm.json', 'groups.cdm.json'],
  ),
  'Deal.cdm.json': entityDocument(
    'Deal',
    [
      key('dealId'),
      {
        attributeGroupReference: {
          attributeGroupName: 'inline',
          members: [
            guided('User', 'userId'),
            {
              name: 'stage',
              dataType: {
                dataTypeReference: 'listLookup',
                appliedTraits: [
                  {
                    traitReference: 'does.haveDefault',
                    arguments: [
                      {
                        entityReference: { entityShape: 'listLookupValues', constantValues: [['en', 'Won', '1', '0']] },
                      },
                    ],
                  },
                ],
              },
            },
          ],
        },
      },
      {
        name: 'owner',
        entity: {
          entityReference: {
            entityName: 'Owner',
            hasAttributes: [guided('User', 'userOption'), guided('Team', 'teamOption')],
          },
        },
        resolutionGuidance: {
          entityByReference: { allowReference: true },
          selectsSubAttribute: { selects: 'one', selectedTypeAttribute: { name: 'idType', dataType: 'entityName' } },
        },
      },
      {
        name: 'address',
        entity: { entityReference: 'Team' },
        resolutionGuidance: {
          removedDirectives: ['referenceOnly'],
          cardinality: 'many',
          renameFormat: '{a}{o}{M}',
          expansion: { startingOrdinal: 1, maximumExpansion: 2 },
          selectsSubAttribute: { selects: 'some', selectsSomeAvoidNames: ['note'] },
        },
      },
    ],
    { extendsEntity: 'User' },
    ['User.cdm.json', 'Team.cdm.json', 'groups.cdm.json'],
  ),
  'sub/Deal.cdm.json': entityDocument('Deal', [{ name: 'extra', dataType: 'Extra' }], { extendsEntity: 'base/Deal' }, [
    'base=/Deal.cdm.json',
    '/User.cdm.json',
  ]),
  'sub/Local.cdm.json': document([
    { entityName: 'Local', hasAttributes: [{ name: 'code', dataType: 'Code' }] },
    { dataTypeName: 'Code', extendsDataType: 'string' },
  ]),
}
