import type { Configuration } from '@cadmus/model/configuration'
import { messages } from '@cadmus/model/messages'
import { configurationQuery, saveConfiguration } from '../../api/configurations.ts'
import { queryClient } from '../../api/query-client.ts'
import { DraftSaves } from '../../drafts/draft-saves.ts'
import { linkTabs } from '../../drafts/draft-tabs.ts'
import { configurationStore } from './configuration-store.ts'

/** The one way in which a configuration is saved. */
export const configurationSaves = new DraftSaves({
  store: configurationStore,
  send: async ({ saved, content, etag }) => saveConfiguration(saved, filled(content), etag),
  load: async (id, version) => queryClient.fetchQuery({ ...configurationQuery(id, version), staleTime: 0 }),
  success: messages.configurationSaved,
})

linkTabs(configurationStore, configurationSaves)

/** Without rows of properties in which nothing was written. */
function filled(configuration: Configuration): Configuration {
  const { packageProperties } = configuration
  const customProperties = packageProperties.customProperties.filter(({ name, value }) => name !== '' || value !== '')
  return { ...configuration, packageProperties: { ...packageProperties, customProperties } }
}
