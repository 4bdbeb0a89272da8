import { saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import { configurationFrom, saveConfiguration } from '../../commands/manifest/save-configuration.ts'
import { handle } from '../../http/route.ts'
import { withMarkedSecrets } from '../../store/manifest-configuration.ts'
import { hasServiceOptions } from '../../service-options.ts'

export const saveManifestConfigurationRoute = handle(
  saveManifestConfiguration,
  async ({ params, query, body: change }, request) => {
    const { limits: licence } = request.organisation
    const serviceOptions = hasServiceOptions(request.context.config, request.organisation)
    const { version, saveId } = query
    const requested = configurationFrom(change)
    const save = { manifestId: params.id, version, requested, base: request.ifMatch ?? '', licence, serviceOptions }
    const { secrets } = request.context
    const { configuration, hash } = await saveConfiguration(changeOf(request, saveId), secrets, save)
    // Tag and content are from the same state, including concurrent saves by others.
    request.setEtag(hash)
    const manifestProperties = withMarkedSecrets(configuration)
    return { result: 'OK' as const, message: messages.configurationSaved, manifestProperties }
  },
)
