import { adminCreateManifest } from '@cadmus/model/contract/admin-documents'
import { organisationOf } from '../../auth/organisation.ts'
import { changeOf } from '../../commands/change.ts'
import { changeInOrganisation } from '../../commands/entity/foreign-change.ts'
import { createManifest } from '../../commands/manifest/create-manifest.ts'
import { handle } from '../../http/route.ts'
import { answerManifest } from '../manifest/answer.ts'
import { requireManifest } from '../manifest/require-manifest.ts'
import { plainManifest } from '../manifest/plain-manifest.ts'

export const adminCreateManifestRoute = handle(adminCreateManifest, async ({ body }, request) => {
  const target = await changeInOrganisation(changeOf(request), body.org)
  const organisation = organisationOf(target.organisation)
  const id = await createManifest(target.change, plainManifest(body.manifest, organisation))
  const { context, signal, setEtag } = request
  const scope = { context, signal, setEtag, organisation }
  return answerManifest(scope, await requireManifest(scope, id))
})
