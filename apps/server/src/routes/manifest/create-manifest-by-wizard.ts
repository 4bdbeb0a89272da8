import { newConfiguration, type GenerateType } from '@cadmus/model/configuration'
import { createManifestByWizard } from '@cadmus/model/contract/manifest'
import { changeOf } from '../../commands/change.ts'
import { sealedAsTyped, withStoredSecrets } from '../../commands/manifest/configuration-secrets.ts'
import { noSecrets } from '../../commands/manifest/stored-secrets.ts'
import { checkServiceOptions, checkSize } from '../../commands/manifest/configuration-rules.ts'
import { createManifest } from '../../commands/manifest/create-manifest.ts'
import { requestBuild, type RequestedBuild } from '../../commands/package/request-build.ts'
import { ApiError } from '../../errors/api-error.ts'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle, type RequestContext } from '../../http/route.ts'
import { hasServiceOptions } from '../../service-options.ts'
import type { ManifestRow } from '../../store/manifest.ts'
import { packageNameOf, validateBuild } from '../package/build-source.ts'
import { answerManifest } from './answer.ts'
import { requireManifest } from './require-manifest.ts'
import { plainManifest } from './plain-manifest.ts'

export const createManifestByWizardRoute = handle(createManifestByWizard, async ({ query, body }, request) => {
  const { context, organisation } = request
  const { manifestProperties: configuration = null, generateType } = body
  // Checked before encryption, which takes longer the more secrets there are.
  if (configuration) checkSize(configuration)
  const defaultConfiguration = newConfiguration(body.manifestName)
  if (configuration && !hasServiceOptions(context.config, organisation))
    checkServiceOptions({ before: defaultConfiguration, after: configuration })
  const id = await createManifest(changeOf(request, query.saveId), {
    ...plainManifest(body, organisation),
    duplicateId: body.duplicateManifest,
    configuration: configuration && withStoredSecrets(await sealedAsTyped(context.secrets, configuration), noSecrets),
    generateType,
    version: body.version,
  })
  const manifest = await requireManifest(request, id)
  const answer = await answerManifest(request, manifest)
  const rest = { generateType, ...(await buildGenerated(request, manifest, generateType)) }
  return answer instanceof ReadyJson ? answer.with(rest) : { ...answer, ...rest }
})

type GenerationResult = { package: RequestedBuild | null; buildMessage: string }

/** Builds the package of a new manifest. A rejected build does not undo the manifest. */
async function buildGenerated(
  request: RequestContext,
  manifest: ManifestRow,
  generateType: GenerateType,
): Promise<GenerationResult> {
  if (generateType === 'Manifest') return { package: null, buildMessage: '' }
  try {
    const source = { organisationId: request.organisation.id, manifest, frozen: null }
    const publishAs = generateType === 'Database' ? ('DB_STRUCTURE' as const) : ('PACKAGE' as const)
    const buildRequest = { packageName: packageNameOf(source, ''), version: undefined, publishAs, overrides: [] }
    const build = await requestBuild(changeOf(request), await validateBuild(source, buildRequest, request))
    request.context.builds.poll()
    return { package: build, buildMessage: '' }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { package: null, buildMessage: error.message }
  }
}
