import { importEntity } from '@cadmus/model/contract/entity'
import { optionalIdText } from '@cadmus/model/contract/shared'
import { changeOf } from '../../commands/change.ts'
import { importEntity as bringIn } from '../../commands/entity/import-entity.ts'
import { invalidInput } from '../../errors/api-error.ts'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { answerChangedEntity } from './entity-answer.ts'

export const importEntityRoute = handle(importEntity, async ({ query }, request) => {
  const { files, fields } = await request.files()
  const file = files.get('entityFile') ?? { fileName: '', bytes: new Uint8Array() }
  // The manifest may be named in the form or the query; the query takes precedence.
  const part = optionalIdText.safeParse(fields.get('targetManifest'))
  if (!part.success) throw invalidInput(part.error)
  const manifestId = query.targetManifest > 0 ? query.targetManifest : part.data
  const { id, report } = await bringIn(changeOf(request), file, manifestId)
  const answer = await answerChangedEntity(request, id)
  return answer instanceof ReadyJson ? answer.with({ report }) : { ...answer, report }
})
