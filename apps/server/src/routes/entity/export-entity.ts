import { writeEntityDocument } from '@cadmus/formats/entity-document/write'
import { exportEntity } from '@cadmus/model/contract/entity'
import { messages } from '@cadmus/model/messages'
import { notFound } from '../../errors/api-error.ts'
import { handle } from '../../http/route.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { entityById } from '../../store/entity.ts'

export const exportEntityRoute = handle(exportEntity, async ({ params }, { context, organisation }) => {
  const db = context.store.of(organisation.id)
  const entity = await entityById(db, organisation.id, params.id)
  if (!entity) throw notFound('The entity')
  // With current names and paths, by which an import resolves references.
  const content = refreshed(entity.content, await referenceLookup(db, organisation.id, [entity.content]))
  const { entityDoc, fileName } = writeEntityDocument(content, { path: entity.path, version: entity.latest_version })
  return { entityDoc, fileName, result: 'OK' as const, message: messages.entityExported(entity.name) }
})
