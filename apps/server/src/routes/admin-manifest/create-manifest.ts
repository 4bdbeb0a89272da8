import { adminCreateManifest } from '@cadmus/model/contract/admin-manifest'
import { organisationOf } from '../../auth/organisation.ts'
import { changeOf } from '../../commands/change.ts'
import { changeInOrganisation } from '../../commands/entity/foreign-change.ts'
import { createManifest } from '../../commands/manifest/create-manifest.ts'
import { handle } from '../../http/route.ts'
import { answerManifest } from '../manifest/answer.ts'
import { foundManifest } from '../manifest/found.ts'
import { plainManifest } from '../manifest/plain-manifest.ts'

export const adminCreateManifestRoute = handle(adminCreateManifest, async ({ body }, request) => {
  const found = await changeInOrganisation(changeOf(request), body.org)
  const organisation = organisationOf(found.organisation)
  const id = await createManifest(found.change, plainManifest(body.manifest, organisation))
  const { context, signal, setEtag } = request
  const there = { context, signal, setEtag, organisation }
  return answerManifest(there, await foundManifest(there, id))
})
