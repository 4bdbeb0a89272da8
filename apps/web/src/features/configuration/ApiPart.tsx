import { apiTypes, identityProvidersOf, securities, type ApiType, type Security } from '@cadmus/model/configuration'
import { licensedApi } from '@cadmus/model/rules/organisation'
import { useLicence } from '../../api/licence.ts'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { configurationStore } from './configuration-store.ts'
import type { ConfigurationView } from './configuration-view.ts'
import { ExcludedOperations } from './ExcludedOperations.tsx'
import { change, CheckSetting, Group, Part, ShownSetting } from './settings.tsx'
import { apiLabels, securityLabels } from '../../commands/configuration-words.ts'
import styles from './Configuration.module.css'

export function ApiPart({ view }: { view: ConfigurationView }) {
  const { type, security } = view.draft.content.configurationBuild.apiConfiguration
  const licence = useLicence()
  const locked = view.locked !== null

  function choose(api: ApiType, chosen: boolean) {
    const next = apiTypes.filter(candidate => (candidate === api ? chosen : type.includes(candidate)))
    change(view, 'apiConfiguration', { type: next })
  }

  return (
    <Part view={view} tab="api">
      <div className={styles['wide']}>
        <Group title="API Types">
          <div className={styles['checks']}>
            {apiTypes.map(api => {
              const refusal = licensedApi(api, licence)
              return (
                <CheckSetting
                  key={api}
                  label={apiLabels[api]}
                  {...(refusal === undefined ? {} : { hint: refusal })}
                  checked={type.includes(api)}
                  locked={locked}
                  // A protocol that the licence no longer includes can still be unchecked.
                  disabled={refusal !== undefined && !type.includes(api)}
                  onChange={chosen => choose(api, chosen)}
                />
              )
            })}
          </div>
        </Group>
        <Group title="Security">
          {locked ? (
            <ShownSetting label="Security" value={securityLabels[security]} />
          ) : (
            <RadioGroup<Security>
              label="Security"
              hideLabel
              options={securities.map(value => ({ value, label: securityLabels[value] }))}
              value={security}
              onChange={next => secure(view, next)}
            />
          )}
        </Group>
        <ExcludedOperations view={view} />
      </div>
    </Part>
  )
}

/** Resets the identity provider if the security does not support it. */
function secure({ key }: ConfigurationView, security: Security): void {
  configurationStore.edit(key, ({ configurationBuild }) => {
    const path = ['configurationBuild', 'apiConfiguration', 'security']
    const [only, ...more] = identityProvidersOf(security)
    const { identityProvider } = configurationBuild.apiScopeConfiguration
    const isOther = only !== undefined && more.length === 0 && only !== identityProvider
    const provider = { path: ['configurationBuild', 'apiScopeConfiguration', 'identityProvider'], value: only ?? null }
    return [{ kind: 'changeConfiguration', changes: [{ path, value: security }, ...(isOther ? [provider] : [])] }]
  })
}
