import {
  connectionUrl,
  databaseTypeTable,
  embeddedDatabase,
  type PackageDatabase,
  packageDatabaseOf,
  packageDatabaseTable,
} from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { useLicensedPackageDatabases } from '../../api/licence.ts'
import { sqlOptionWords } from '../../commands/configuration-words.ts'
import { SqlExportFields } from '../../commands/SqlExportFields.tsx'
import { DatabaseTypeSelect } from '../../commands/DatabaseTypeSelect.tsx'
import { urlHint } from '../../commands/connection-url-hint.tsx'
import { Button } from '../../ui/Button.tsx'
import { configurationStore } from '../../drafts/configuration-store.ts'
import type { ConfigurationView } from './configuration-view.ts'
import { SecretText } from './SecretText.tsx'
import { change, CheckSetting, Group, Part, setPassword, ShownSetting, TextSetting } from './settings.tsx'
import styles from './Configuration.module.css'

export function SqlPart({ view }: { view: ConfigurationView }) {
  const { sqlConfiguration, sqlExport } = view.draft.content.configurationBuild
  const locked = view.locked !== null
  return (
    <Part view={view} tab="sql">
      <div className={styles['settings']}>
        <ConnectionPool view={view} />
        <Group title="Query Options">
          <div className={styles['checks']}>
            {sqlOptionWords.map(([field, label, hint]) => (
              <CheckSetting
                key={field}
                label={label}
                hint={hint}
                checked={sqlConfiguration[field]}
                locked={locked}
                onChange={checked => change(view, 'sqlConfiguration', { [field]: checked })}
              />
            ))}
          </div>
        </Group>
        <Group title="Exported Scripts">
          <SqlExportFields
            options={sqlExport}
            shown={locked ? (label, value) => <ShownSetting label={label} value={value} /> : undefined}
            nameField={({ fault, onChange, ...field }) => (
              <TextSetting {...field} subject={view.key} mono locked={locked} validate={fault} onApply={onChange} />
            )}
            onChange={options => change(view, 'sqlExport', options)}
          />
        </Group>
      </div>
    </Part>
  )
}

function ConnectionPool({ view }: { view: ConfigurationView }) {
  const pool = view.draft.content.packageProperties.connectionPoolInfo
  const licensed = useLicensedPackageDatabases()
  const locked = view.locked !== null
  const type = packageDatabaseOf(pool.type) ?? 'mysql'
  const template = connectionUrl(type, pool.databaseName)
  const isEmbedded = embeddedDatabase(pool.url) !== undefined
  const isTemplate = pool.url === '' || pool.url === template

  function chooseType(next: PackageDatabase) {
    const url = isTemplate ? { url: connectionUrl(next, pool.databaseName) } : {}
    change(view, 'connectionPoolInfo', { type: packageDatabaseTable[next].configuration, ...url })
  }

  function nameDatabase(databaseName: string) {
    const url = pool.url === template ? { url: connectionUrl(type, databaseName) } : {}
    change(view, 'connectionPoolInfo', { databaseName, ...url })
  }

  return (
    <Group title="Connection Pool">
      {locked ? (
        <ShownSetting label="Connection Type" value={databaseTypeTable[type].label} />
      ) : (
        <DatabaseTypeSelect label="Connection Type" licensed={licensed} value={type} onChange={chooseType} />
      )}
      <TextSetting
        label="Connection Url"
        subject={view.key}
        type="url"
        mono={!(locked && isEmbedded)}
        locked={locked}
        value={locked && isEmbedded ? `${messages.packages.embeddedDatabase} (${pool.url})` : pool.url}
        hint={
          urlHint(pool.url) ??
          (pool.url === template || locked ? undefined : (
            <>
              The template of {databaseTypeTable[type].label} is {template}{' '}
              <Button variant="quiet" onClick={() => change(view, 'connectionPoolInfo', { url: template })}>
                Use the template
              </Button>
            </>
          ))
        }
        onApply={url => change(view, 'connectionPoolInfo', { url: url.trim() })}
      />
      <TextSetting
        label="Connection Username"
        subject={view.key}
        locked={locked}
        value={pool.username}
        onApply={username => change(view, 'connectionPoolInfo', { username })}
      />
      <SecretText
        label="Connection Password"
        subject={view.key}
        value={pool.password}
        locked={locked}
        seen={() => configurationStore.seen(view.key)}
        onApply={(password, seen) => setPassword(view, password, seen)}
      />
      <TextSetting label="Database Name" locked={locked} value={pool.databaseName} onApply={nameDatabase} />
    </Group>
  )
}
