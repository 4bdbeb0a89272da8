import { newConfiguration } from '@cadmus/model/configuration'
import { createManifestByWizard } from '@cadmus/model/contract/manifest'
import { changeOf } from '../../commands/change.ts'
import { sealed } from '../../commands/manifest/configuration-secrets.ts'
import { createManifest } from '../../commands/manifest/create-manifest.ts'
import { checked } from '../../commands/manifest/save-configuration.ts'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { answerManifest } from './answer.ts'
import { foundManifest } from './found.ts'

export const createManifestByWizardRoute = handle(createManifestByWizard, async ({ body }, request) => {
  const { manifestProperties: given } = body
  const none = newConfiguration(body.manifestName)
  const id = await createManifest(changeOf(request), {
    name: body.manifestName,
    description: body.description,
    importsPath: body.importsPath,
    entityIds: body.entities,
    entityNames: body.exclusiveEntities,
    subManifestIds: body.subManifests,
    duplicateId: body.duplicateManifest,
    configuration: given == null ? null : sealed(request.context.secrets, checked(given), none),
    version: body.version,
    licence: request.organisation.limits,
  })
  const answer = await answerManifest(request, await foundManifest(request, id))
  const { generateType } = body
  return answer instanceof ReadyJson ? answer.with({ generateType }) : { ...answer, generateType }
})
