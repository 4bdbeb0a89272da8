import { adminUpdateEntityContent } from '@cadmus/model/contract/admin-documents'
import { changeOf } from '../../commands/change.ts'
import { changeOfEntity } from '../../commands/entity/foreign-change.ts'
import { updateContent } from '../../commands/entity/update-content.ts'
import { handle } from '../../http/route.ts'
import { answerChangedEntity } from '../entity/entity-answer.ts'

export const adminUpdateEntityContentRoute = handle(adminUpdateEntityContent, async ({ query, body }, request) => {
  const change = await changeOfEntity(changeOf(request, query.saveId), body.id)
  const onReferences = (removed: string) => body.onReferencesTo?.[removed] ?? query.onReferences
  const save = { text: body.content, ifMatch: request.ifMatch ?? '', version: body.version, onReferences }
  const saved = await updateContent(change, body.id, save)
  return answerChangedEntity(request, body.id, saved, change.organisationId)
})
