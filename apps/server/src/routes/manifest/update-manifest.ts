import { updateManifest } from '@cadmus/model/contract/manifest'
import { manifestAsAnswered, type ManifestUpdate } from '@cadmus/model/contract/manifest-shapes'
import { changedAnswers } from '@cadmus/model/contract/request-fields'
import { isDefaultPath } from '@cadmus/model/paths'
import { changeOf } from '../../commands/change.ts'
import { renameManifest } from '../../commands/manifest/rename-manifest.ts'
import { refuseFields } from '../../errors/api-error.ts'
import { handle, type RequestContext } from '../../http/route.ts'
import { manifestContent } from '../../store/manifest.ts'
import { answerManifest } from './answer.ts'
import { changedMembers } from './changed-members.ts'
import { requireManifest } from './require-manifest.ts'

export const updateManifestRoute = handle(updateManifest, async ({ params, body }, request) => {
  await rejectReadOnlyChanges(request, params.id, body.manifest)
  const { manifestName: name } = body
  await renameManifest(changeOf(request), params.id, { name, ifMatch: request.ifMatch ?? '' })
  // Tag and content are from the same state, possibly later than this save.
  return answerManifest(request, await requireManifest(request, params.id))
})

/** Throws 400 if the body changes read-only fields. */
async function rejectReadOnlyChanges(
  request: RequestContext,
  id: number,
  sent: ManifestUpdate['manifest'],
): Promise<void> {
  if (Object.keys(manifestAsAnswered).every(name => Reflect.get(sent, name) === undefined)) return
  const row = await requireManifest(request, id)
  const content = await manifestContent(request.context.store.of(request.organisation.id), row)
  const answered = { ...content, id, isDefault: isDefaultPath(row.path) }
  refuseFields([
    ...changedAnswers(manifestAsAnswered, sent, answered, 'manifest'),
    ...(await changedMembers(request, row, content, sent)),
  ])
}
