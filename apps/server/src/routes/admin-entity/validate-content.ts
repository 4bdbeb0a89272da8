import { adminValidateEntityContent } from '@cadmus/model/contract/admin-documents'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { changeOfEntity } from '../../commands/entity/foreign-change.ts'
import { validateContent } from '../../commands/entity/update-content.ts'
import { handle } from '../../http/route.ts'

export const adminValidateEntityContentRoute = handle(adminValidateEntityContent, async ({ body }, request) => {
  await validateContent(await changeOfEntity(changeOf(request), body.id), body.id, body.content)
  return { result: 'OK' as const, message: messages.content.valid }
})
