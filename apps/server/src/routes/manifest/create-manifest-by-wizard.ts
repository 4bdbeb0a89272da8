import { newConfiguration } from '@cadmus/model/configuration'
import { createManifestByWizard } from '@cadmus/model/contract/manifest'
import { changeOf } from '../../commands/change.ts'
import { sealed } from '../../commands/manifest/configuration-secrets.ts'
import { noSecrets } from '../../commands/manifest/stored-secrets.ts'
import { checkServiceOptions } from '../../commands/manifest/configuration-rules.ts'
import { createManifest } from '../../commands/manifest/create-manifest.ts'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { hasServiceOptions } from '../../service-options.ts'
import { answerManifest } from './answer.ts'
import { foundManifest } from './found.ts'

export const createManifestByWizardRoute = handle(createManifestByWizard, async ({ body }, request) => {
  const { context, organisation } = request
  const { manifestProperties: wanted = null, generateType } = body
  const none = newConfiguration(body.manifestName)
  if (wanted && !hasServiceOptions(context.config, organisation)) checkServiceOptions({ before: none, after: wanted })
  const id = await createManifest(changeOf(request), {
    name: body.manifestName,
    description: body.description,
    importsPath: body.importsPath,
    entityIds: body.entities,
    entityNames: body.exclusiveEntities,
    subManifestIds: body.subManifests,
    duplicateId: body.duplicateManifest,
    configuration: wanted && sealed(context.secrets, wanted, noSecrets),
    generateType,
    version: body.version,
    licence: organisation.limits,
  })
  const answer = await answerManifest(request, await foundManifest(request, id))
  return answer instanceof ReadyJson ? answer.with({ generateType }) : { ...answer, generateType }
})
