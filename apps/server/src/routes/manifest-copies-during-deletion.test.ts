import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEntity, getEntity } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  createManifest,
  createManifestByWizard,
  getManifest,
} from '@cadmus/model/contract/manifest'
import { newEntityContent } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newManifestContent } from '@cadmus/model/manifest'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { newUid } from '@cadmus/model/uid'
import { deleteEntity } from '../commands/entity/delete-entity.ts'
import { updateResolved } from '../store/entity-reference.ts'
import { insertEntities } from '../store/entity.ts'
import { insertManifests } from '../store/manifest.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { danglingColumns } from '../testing/dangling-references.ts'
import { organisationId } from '../testing/entities.ts'

const many = 300

describeOnBothStores('Deleting a target while it is being copied many times', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let organisation: number
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    organisation = await organisationId(server)
  })
  afterAll(() => server.stop())

  /** Creates a manifest with many entities: one refers to a second, which a third extends. */
  async function referringToOne(name: string) {
    const { entity: target } = await designer.call(createEntity, { body: { entity: { name: `${name}Target` } } })
    const { store: all } = server.context
    const db = all.of(organisation)
    const manifestId = await all.ids.one()
    const ids = await all.ids.take(many)
    const to = { id: target.id, uid: target.uid, name: target.name, path: target.path }
    const related = newEntityAttribute({
      uid: newUid(),
      associatedEntity: to,
      associatedEntityTypeAttribute: 'id',
      associatedEntityTypeAttributeUid: target.typeAttributes[0]?.uid ?? null,
      foreignKeyTypeAttribute: 'targetId',
      position: 1,
    })
    const key = { name: 'id', dataType: 'integer', purpose: 'identifiedBy', nullable: false, position: 0 } as const
    const entities = ids.map((id, index) => ({
      id,
      manifestId,
      path: `user-defined/${name}/${name}${index}`,
      content: newEntityContent({
        name: `${name}${index}`,
        typeAttributes: index === 1 ? [] : [newTypeAttribute(key)],
        entityAttributes: index === 0 ? [related] : [],
        extendsEntity: index === 1 ? to : null,
      }),
    }))
    await insertEntities(db, organisation, entities, { userName: 'Test' })
    await updateResolved(db, organisation, ids)
    const members = ids.map(entityId => ({ entityId, organisationId: organisation, type: 'EXCLUSIVE' as const }))
    const content = newManifestContent({ name })
    const manifest = { id: manifestId, path: `user-defined/${name}`, content, members, subManifests: [] }
    await insertManifests(db, organisation, [manifest], { userName: 'Test' })
    return { target, ids, manifestId }
  }

  /** Resolves to true once invisible rows are written; false if the copy has already ended. */
  async function untilSomeAreWritten(copying: Promise<number>): Promise<boolean> {
    const db = server.context.store.of(organisation)
    const unseen = db.selectFrom('entity').select('id').where('organisation_id', '=', organisation)
    for (;;) {
      const ended = await Promise.race([copying.then(() => true), wait(1, false)])
      if (ended) return false
      if ((await unseen.where('import_id', '>', 0).limit(1).execute()).length > 0) return true
    }
  }

  it.each(['added to a manifest', 'duplicated with their manifest'])(
    'unlinks the copies like their originals: %s',
    async how => {
      const isAdded = how === 'added to a manifest'
      const name = isAdded ? 'Added' : 'Duplicated'
      const { target, ids, manifestId } = await referringToOne(name)
      const place = isAdded ? (await designer.call(createManifest, { body: { manifestName: 'Place' } })).manifest.id : 0
      const copying = isAdded
        ? designer.call(addEntitiesToManifest, { params: { id: place }, body: { entityIds: ids } }).then(() => place)
        : designer
            .call(createManifestByWizard, { body: { manifestName: 'Copy', duplicateManifest: manifestId } })
            .then(({ manifest }) => manifest.id)
      expect(await untilSomeAreWritten(copying)).toBe(true)
      const { store: all } = server.context
      const actor = { userId: 'someone', userName: 'Someone', userEmail: '' }
      await deleteEntity({ store: all, organisationId: organisation, actor, isAdmin: false }, target.id, 'keep')
      const { manifest } = await designer.call(getManifest, { params: { id: await copying } })
      expect(manifest.entityPaths).toHaveLength(many)
      expect(manifest.relationships).toEqual([])
      const two = manifest.entityPaths.slice(0, 2).map(({ id }) => designer.call(getEntity, { params: { id } }))
      const shown = (await Promise.all(two)).map(({ entity }) => [
        entity.extendsEntity,
        entity.typeAttributes.map(item => item.name),
      ])
      expect(shown).toEqual([
        [null, ['id', 'targetId']],
        [null, ['id']],
      ])
      expect(await danglingColumns(server, organisation)).toEqual([])
    },
  )
})
