import { getDiagramRows, getEntityDiagram, getManifestDiagram } from '@cadmus/model/contract/diagram'
import { createEntity, deleteEntity, updateEntity } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  addManifestVersion,
  addSubManifests,
  deleteManifest,
} from '@cadmus/model/contract/manifest'
import type { CallAnswer } from '@cadmus/model/contract/call'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newEntityContent } from '@cadmus/model/entity'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { insertEntities } from '../store/entity.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import {
  addManifest,
  addPredefined,
  aRelationship,
  organisationId,
  type RelationshipBody,
} from '../testing/entities.ts'

describeOnBothStores('Diagrams', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const entity = async (manifest: number, name: string, entityAttributes: RelationshipBody[] = []) => {
    const body = { entity: { name, entityAttributes }, targetManifestId: manifest }
    return (await designer.call(createEntity, { body })).entity
  }
  const diagram = async (id: number, version?: string) =>
    designer.call(getManifestDiagram, { params: { id }, query: { version } })
  const around = async (id: number, steps: number) =>
    designer.call(getEntityDiagram, { params: { id }, query: { steps } })

  type Columns = Pick<CallAnswer<typeof getManifestDiagram>, 'areas' | 'entities' | 'links'>
  const cards = ({ areas, entities }: Columns) =>
    entities.names.map((name, index) => `${areas[entities.areas[index] ?? -1]?.name}/${name}`)
  const links = ({ entities, links: { from, to, row, ends } }: Columns) =>
    from.map((card, at) => `${entities.names[card]}:${row[at]} → ${entities.names[to[at] ?? -1]} ${ends[at]}`)

  it('has the cards of a manifest, of its sub-manifests, and of targets outside of them', async () => {
    const [root, sub, foreign] = [
      await addManifest(server, 'Clinic'),
      await addManifest(server, 'Staff'),
      await addManifest(server, 'Elsewhere'),
    ]
    await designer.call(addSubManifests, { params: { id: root }, body: { submanifests: [sub] } })
    const unit = await entity(foreign, 'Unit')
    const doctor = await entity(sub, 'Doctor', [aRelationship(unit, 'unitId')])
    const patient = await entity(root, 'Patient')
    await entity(root, 'Visit', [
      { ...aRelationship(patient, 'patientId'), nullable: false, unique: true },
      aRelationship(doctor, 'doctorId'),
    ])
    const answer = await diagram(root)
    expect(answer.areas.map(({ name, kind }) => [name, kind])).toEqual([
      ['Clinic', 'own'],
      ['Staff', 'subManifest'],
      ['', 'outside'],
    ])
    expect(cards(answer)).toEqual(['Clinic/Patient', 'Clinic/Visit', 'Staff/Doctor', '/Unit'])
    expect(links(answer)).toEqual(['Doctor:1 → Unit 2', 'Visit:1 → Patient 1', 'Visit:2 → Doctor 2'])
    expect(answer.entities.rows).toEqual([1, 3, 2, 1])
    expect(answer.entities.keyRows).toEqual([1, 3, 2, 1])
    expect(answer.entities.uids[0]).toBe(patient.uid)
    expect(answer.entities.locked).toEqual([false, false, false, false])
  })

  it('an entity is a card once, in the manifest that owns it, and a predefined one is locked', async () => {
    const [root, sub] = [await addManifest(server, 'Twice'), await addManifest(server, 'Owner')]
    await designer.call(addSubManifests, { params: { id: root }, body: { submanifests: [sub] } })
    const owned = await entity(sub, 'Owned')
    const predefined = await addPredefined(server, { name: 'Given' })
    await server.bootstrap('ACME').call(addEntitiesToManifest, {
      params: { id: root },
      body: { entityIds: [predefined, owned.id], type: 'TEMPLATE' },
    })
    const answer = await diagram(root)
    expect(cards(answer)).toEqual(['Twice/Given', 'Owner/Owned'])
    expect(answer.entities.locked).toEqual([true, false])
  })

  it('follows saves, and is answered 304 while nothing changes', async () => {
    const root = await addManifest(server, 'Tagged')
    const target = await entity(root, 'Target')
    const source = await entity(root, 'Source')
    const { etag } = await designer.callWithTag(getManifestDiagram, { params: { id: root } })
    const again = async (tag: string) =>
      designer.send(getManifestDiagram, { params: { id: root }, headers: { 'if-none-match': tag } })
    const same = await again(`W/"${etag}"`)
    expect([same.status, await same.text()]).toEqual([304, ''])
    await designer.call(updateEntity, {
      params: { id: source.id },
      ifMatch: '*',
      body: { entity: { entityAttributes: [aRelationship(target, 'targetId')] } },
    })
    expect((await again(`"${etag}"`)).status).toBe(200)
    const answer = await diagram(root)
    expect(links(answer)).toEqual(['Source:1 → Target 2'])
    expect(answer.entities.rows).toEqual([1, 2])
  })

  it('shows a version as frozen, all locked, and 404 for an unknown one', async () => {
    const root = await addManifest(server, 'Frozen')
    const target = await entity(root, 'Before')
    await entity(root, 'Reference', [aRelationship(target, 'beforeId')])
    const now = await diagram(root)
    await designer.call(addManifestVersion, { params: { id: root }, query: { version: '2.0.0' } })
    await entity(root, 'Later')
    await designer.call(updateEntity, { params: { id: target.id }, ifMatch: '*', body: { entity: { name: 'After' } } })
    const frozen = await diagram(root, '1.0.0')
    expect(frozen).toEqual({ ...now, entities: { ...now.entities, locked: [true, true] } })
    expect(cards(await diagram(root, '2.0.0'))).toEqual(['Frozen/After', 'Frozen/Reference', 'Frozen/Later'])
    const unknown = await designer.refusal(getManifestDiagram, { params: { id: root }, query: { version: '9.0.0' } })
    expect(unknown.status).toBe(404)
    const rows = await designer.call(getDiagramRows, {
      query: { entities: now.entities.ids.join(','), manifest: root, version: '1.0.0' },
    })
    expect(rows.entities.map(({ rows: list }) => list.map(({ name }) => name))).toEqual([['id'], ['id', 'beforeId']])
    const query = { entities: now.entities.ids.join(','), version: '1.0.0' }
    const ofNone = await designer.refusal(getDiagramRows, { query })
    expect([ofNone.status, ofNone.answer.message]).toEqual([400, 'A version requires its manifest.'])
  })

  it('the rows of cards are keys, foreign keys and attributes as text, and missing entities are left out', async () => {
    const root = await addManifest(server, 'Rows')
    const target = await entity(root, 'RowTarget')
    const body = {
      entity: {
        name: 'RowSource',
        typeAttributes: [
          { name: 'note', position: 1, maxLength: 40 },
          { name: 'code', position: 2, dataType: 'integer' as const, isNullable: true },
        ],
        entityAttributes: [aRelationship(target, 'targetId')],
      },
      targetManifestId: root,
    }
    const { entity: source } = await designer.call(createEntity, { body })
    const query = { entities: `${source.id},${target.id},${source.id},999999999` }
    const { entities } = await designer.call(getDiagramRows, { query })
    expect(entities.map(({ id }) => id)).toEqual([source.id, target.id])
    expect(entities[0]?.rows.map(({ name, type, kind, nullable }) => [name, type, kind, nullable])).toEqual([
      ['id', 'integer', 'key', false],
      ['targetId', 'integer', 'reference', true],
      ['note', 'string(40)', 'attribute', false],
      ['code', 'integer', 'attribute', true],
    ])
    // Entities of another organisation are missing there.
    const elsewhere = await server.bootstrap('CADMUS').call(getDiagramRows, { query })
    expect(elsewhere.entities).toEqual([])
    for (const list of ['', 'x', '1;2', '-1', '1.5', Array.from({ length: 201 }, (_, at) => at + 1).join(',')])
      expect((await designer.refusal(getDiagramRows, { query: { entities: list } })).status).toBe(400)
  })

  it('the neighbourhood of an entity has both directions, across manifests, with counts of what is left out', async () => {
    const [one, other] = [await addManifest(server, 'Near'), await addManifest(server, 'Far')]
    const country = await entity(other, 'Country')
    const city = await entity(other, 'City', [aRelationship(country, 'countryId')])
    const person = await entity(one, 'Person', [aRelationship(city, 'cityId')])
    await entity(one, 'Order', [aRelationship(person, 'personId'), aRelationship(person, 'payerId')])
    const near = await around(person.id, 1)
    expect(cards(near)).toEqual(['Near/Person', 'Far/City', 'Near/Order'])
    expect(near.areas.map(({ kind }) => kind)).toEqual(['own', 'outside'])
    expect(links(near).toSorted()).toEqual(['Order:1 → Person 2', 'Order:2 → Person 2', 'Person:1 → City 2'])
    expect(near.more).toEqual([0, 1, 0])
    expect(cards(await around(person.id, 2))).toContain('Far/Country')
    const city1 = await around(city.id, 1)
    expect([cards(city1), city1.more]).toEqual([
      ['Far/City', 'Far/Country', 'Near/Person'],
      [0, 0, 1],
    ])
    expect((await designer.refusal(getEntityDiagram, { params: { id: 999_999_999 } })).status).toBe(404)
    for (const steps of [0, 4])
      expect((await designer.refusal(getEntityDiagram, { params: { id: city.id }, query: { steps } })).status).toBe(400)
  })

  it('an entity that refers back is counted once among those left out', async () => {
    const manifest = await addManifest(server, 'Mutual')
    const centre = await entity(manifest, 'Centre')
    const middle = await entity(manifest, 'Middle', [aRelationship(centre, 'centreId')])
    const end = await entity(manifest, 'End', [aRelationship(middle, 'middleId')])
    await designer.call(updateEntity, {
      params: { id: middle.id },
      ifMatch: '*',
      body: { entity: { entityAttributes: [aRelationship(centre, 'centreId'), aRelationship(end, 'endId')] } },
    })
    const answer = await around(centre.id, 1)
    expect([answer.entities.names, answer.more]).toEqual([
      ['Centre', 'Middle'],
      [0, 1],
    ])
  })

  it('the neighbourhood of a hub stays within its limit and counts the rest', async () => {
    const manifest = await addManifest(server, 'Hub')
    const hub = await entity(manifest, 'HubCentre')
    const organisation = await organisationId(server)
    const spokes = (await server.context.store.ids.take(1200)).map((id, at) => {
      const entityAttributes = [
        newEntityAttribute({
          associatedEntity: { id: hub.id, name: hub.name, path: hub.path },
          associatedEntityTypeAttribute: 'id',
          foreignKeyTypeAttribute: 'hubId',
          position: 1,
        }),
      ]
      return {
        id,
        path: `user-defined/Spoke${at}`,
        content: newEntityContent({ name: `Spoke${at}`, entityAttributes }),
      }
    })
    await insertEntities(server.context.store.of(organisation), organisation, spokes, { userName: 'Test' })
    const inWorkers = vi.spyOn(server.context.workers, 'run')
    const answer = await around(hub.id, 3)
    expect(answer.entities.ids).toHaveLength(200)
    expect(answer.more).toEqual([1001, ...Array<number>(199).fill(0)])
    // Counting very many relationships would keep other requests waiting.
    expect(inWorkers.mock.calls.map(([task]) => task)).toEqual(['neighbourhood'])
    inWorkers.mockRestore()
  })

  it('deleted entities and manifests leave no cards and links', async () => {
    const [root, sub] = [await addManifest(server, 'Losing'), await addManifest(server, 'LostPart')]
    await designer.call(addSubManifests, { params: { id: root }, body: { submanifests: [sub] } })
    const gone = await entity(sub, 'Gone')
    const keeper = await entity(root, 'Keeper', [aRelationship(gone, 'goneId')])
    const query = { onReferences: 'keep' as const }
    await designer.call(deleteEntity, { params: { id: gone.id }, query })
    expect(cards(await diagram(root))).toEqual(['Losing/Keeper'])
    expect((await around(keeper.id, 1)).more).toEqual([0])
    await designer.call(deleteManifest, { params: { id: sub } })
    expect((await diagram(root)).areas).toHaveLength(1)
  })
})
