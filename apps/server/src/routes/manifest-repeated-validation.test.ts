import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfiguration } from '@cadmus/model/configuration'
import { getEntity, updateEntity } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  addSubManifests,
  createManifest,
  deleteManifest,
  getManifestConfiguration,
  removeEntityFromManifest,
  removeSubManifest,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { type DatabaseType, databaseTypes } from '@cadmus/model/database-types'
import { parseLicence } from '@cadmus/model/licence'
import { resolveModel } from '@cadmus/model/resolved-model'
import { type Random, seededRandom } from '@cadmus/model/testing/seeded-random'
import { dataTypes } from '@cadmus/model/type-attribute'
import { validate } from '@cadmus/model/validate'
import { namingRules } from '@cadmus/sql/databases'
import { schemaNotes } from '@cadmus/sql/testing/schema-notes'
import { modelAt } from '../jobs/model-at.ts'
import { problemItem } from '../jobs/problem-writer.ts'
import { organisationByCode } from '../store/organisation.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, organisationId, relationshipBody, saveBody, typeAttributeBody } from '../testing/entities.ts'

/** The objects that may be changed: entities of the manifest, of a sub-manifest and of an unrelated one. */
type World = { root: number; manifests: readonly number[]; entities: readonly number[] }

describeOnBothStores.whenProving('Repeated validation of a manifest', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(async () => {
    await license([...databaseTypes])
    await console.stop()
  })

  it.each([1, 2])('equals a validation without cache after any changes (%i)', async seed => {
    const random = seededRandom(seed)
    const world = await made(seed)
    const result = new Set<string>()
    for (let step = 0; step < 20; step += 1) {
      const { problems } = await designer.call(validateManifest, { params: { id: world.root } })
      expect(problems).toEqual(await fromScratch(world))
      for (const { code } of problems) result.add(code)
      await random.pick(changes)(world, random)
      if (random.chance(0.4)) await random.pick(changes)(world, random)
    }
    // Guards against comparing only empty results.
    expect(result.size).toBeGreaterThan(3)
  })

  it('ends with 404 after its deletion', async () => {
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'Gone', exclusiveEntities: ['Alpha'] },
    })
    const params = { id: manifest.id }
    expect((await designer.call(validateManifest, { params })).problems).toEqual([])
    await designer.call(deleteManifest, { params })
    expect((await designer.refusal(validateManifest, { params })).status).toBe(404)
    // The same applies if the manifest is deleted while the validation is waiting.
    const place = { organisationId: await organisationId(console), manifestId: manifest.id }
    const late = console.context.workers.check('validate', { ...place, databaseTypes: [], encoding: 'identity' })
    await expect(late).rejects.toMatchObject({ status: 404, message: 'The manifest was not found.' })
  })

  async function made(seed: number): Promise<World> {
    const create = async (name: string, exclusiveEntities: string[]) =>
      (await designer.call(createManifest, { body: { manifestName: `${name}${seed}`, exclusiveEntities } })).manifest
    const all = [
      await create('Root', ['Alpha', 'Beta', 'Gamma']),
      await create('Below', ['Delta', 'Epsilon']),
      await create('Beside', ['Zeta']),
    ]
    const [root = -1, ...others] = all.map(({ id }) => id)
    const entities = all.flatMap(({ entityPaths }) => entityPaths.map(({ id }) => id))
    await designer.call(addSubManifests, { params: { id: root }, body: { submanifests: others.slice(0, 1) } })
    return { root, manifests: [root, ...others], entities }
  }

  async function fromScratch({ root }: World) {
    const organisation = await organisationByCode(console.context.store.shared, 'ACME')
    const { databaseTypes: licensed } = parseLicence(organisation?.licence_limits ?? '')
    const place = { organisationId: await organisationId(console), manifestId: root, version: null }
    const { root: node, source, configuration } = await modelAt(console.context.store, place)
    const resolvedModel = resolveModel(node, source)
    const problems = validate(resolvedModel, { configuration, databases: namingRules(licensed) })
    const applyAutoIncrement = configuration?.configurationBuild.sqlConfiguration.applyAutoIncrement ?? true
    return [...problems, ...schemaNotes(resolvedModel, licensed, { applyAutoIncrement }, problems)].map(problemItem)
  }

  type Change = (world: World, random: Random) => Promise<unknown>

  /** Applies an edit; a rejected edit changes nothing, which is acceptable. */
  const edit =
    (change: (entity: Edited, random: Random, world: World) => Partial<Body>): Change =>
    async (world, random) => {
      const params = { id: random.pick(world.entities) }
      // The entity was deleted when it was removed from its manifest.
      if ((await designer.send(getEntity, { params })).status === 404) return
      const { entity } = await designer.call(getEntity, { params })
      const body = saveBody(entity, change(entity, random, world))
      await designer.send(updateEntity, { params, body, ifMatch: '*' })
    }

  const license = async (licensed: readonly DatabaseType[]) =>
    console.context.store.shared
      .updateTable('organisation')
      .set({ licence_limits: `mc=50|db=${licensed.join('~')}` })
      .where('code', '=', 'ACME')
      .execute()

  const changes: readonly Change[] = [
    edit((_, random) => ({ name: `Entity${random.between(1, 4)}` })),
    edit((_, random) => ({ name: random.pick(['Order', 'x'.repeat(90), 'pg_table']) })),
    edit((entity, random) => ({
      typeAttributes: [...entity.typeAttributes.map(typeAttributeBody), attribute(random)],
    })),
    edit((entity, random) => ({
      typeAttributes: [...entity.typeAttributes.map(typeAttributeBody), attribute(random)],
    })),
    edit((entity, random) => ({
      typeAttributes: entity.typeAttributes.slice(random.between(0, 1)).map(typeAttributeBody),
    })),
    edit((_, random, { entities }) => {
      const extendsEntity = { id: random.pick(entities), name: '', path: '' }
      return { extendsEntity: random.chance(0.3) ? null : extendsEntity }
    }),
    edit((entity, random, { entities }) => {
      const target = { id: random.pick(entities) }
      const added = aRelationship(target, `key${random.between(1, 9)}`, random.pick(['id', 'id', 'code']))
      return { entityAttributes: [...entity.entityAttributes.map(relationshipBody), added] }
    }),
    edit((_, random) => ({ operationScopes: { selectOperationScopes: random.chance(0.5) ? ['read'] : [] } })),
    edit(() => ({ entityAttributes: [] })),
    async ({ root, entities }, random) =>
      designer.send(addEntitiesToManifest, { params: { id: root }, body: { entityIds: [random.pick(entities)] } }),
    async ({ manifests, entities }, random) =>
      designer.send(removeEntityFromManifest, {
        params: { id: random.pick(manifests), entityId: random.pick(entities) },
      }),
    async ({ root, manifests }, random) =>
      designer.send(addSubManifests, { params: { id: root }, body: { submanifests: [random.pick(manifests)] } }),
    async ({ root, manifests }, random) =>
      designer.send(removeSubManifest, { params: { id: root, subManifestId: random.pick(manifests) } }),
    async ({ root }, random) => {
      const params = { id: root }
      const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params })
      const body = readConfiguration(answer.manifestProperties)
      const { configurationBuild: build } = body
      build.apiScopeConfiguration.scopeDefinitions = random.chance(0.5) ? ['read'] : []
      build.sqlConfiguration.applyAutoIncrement = random.chance(0.5)
      return designer.send(saveManifestConfiguration, { params, body, ifMatch: etag })
    },
    async (_, random) => {
      await license(databaseTypes.filter(() => random.chance(0.6)))
    },
  ]
})

type Edited = Parameters<typeof saveBody>[0]
type Body = NonNullable<Parameters<typeof saveBody>[1]>

function attribute(random: Random) {
  return {
    name: random.pick(['code', 'name', 'Select', 'note', 'y'.repeat(70)]),
    dataType: random.pick(dataTypes),
    purpose: random.chance(0.2) ? ('identifiedBy' as const) : ('hasA' as const),
    maxLength: random.pick([null, 20, 2000, 20_000]),
    choices: random.chance(0.3) ? ['1', 'b'] : [],
    defaultValue: random.chance(0.3) ? random.pick(['1', 'b', '']) : null,
    unique: random.chance(0.3),
    indexed: random.chance(0.3),
  }
}
