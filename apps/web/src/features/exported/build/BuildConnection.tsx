import { isPlaceholder, secretPlaceholder, type Configuration } from '@cadmus/model/configuration'
import {
  connectionUrl,
  databaseTypeTable,
  isPackageDatabase,
  missingAdvice,
  packageDatabases,
} from '@cadmus/model/database-types'
import { typedValue } from '@cadmus/model/rules/configuration'
import { useLicence } from '../../../api/licence.ts'
import { embeddedHint } from '../../../commands/embedded-database.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Select } from '../../../ui/Select.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { databaseOf, withDatabaseName, withType } from './build-flow.ts'

type Pool = Configuration['packageProperties']['connectionPoolInfo']
type BuildConnectionProps = { pool: Pool; onChange: (pool: Pool) => void }

/** Database connection of this build. A stored password is never shown; a typed one replaces it. */
export function BuildConnection({ pool, onChange }: BuildConnectionProps) {
  const licensed = useLicence()?.databaseTypes.filter(isPackageDatabase) ?? packageDatabases
  const type = databaseOf(pool)
  const { label } = databaseTypeTable[type]
  const offered = [...licensed, ...packageDatabases.filter(one => one === type && !licensed.includes(one))]
  const missing = missingAdvice(databaseOf(pool), pool.url)
  const isStored = isPlaceholder(pool.password)
  const template = connectionUrl(type, pool.databaseName)
  const templateHint = pool.url === template ? undefined : `The template of ${label} is ${template}`
  return (
    <>
      <Select
        label="Connection Type"
        options={offered.map(value => ({
          value,
          label: databaseTypeTable[value].label,
          disabled: !licensed.includes(value),
        }))}
        value={type}
        onChange={next => onChange(withType(pool, next))}
      />
      <TextField
        label="Connection Url"
        type="url"
        mono
        value={pool.url}
        hint={embeddedHint(pool.url) ?? templateHint}
        onChange={url => onChange({ ...pool, url })}
      />
      {missing !== null && (
        <Alert kind="info">
          Recommended for {label}: add <code>{missing}</code> to the connection URL.
        </Alert>
      )}
      <TextField
        label="Connection Username"
        value={pool.username}
        onChange={username => onChange({ ...pool, username })}
      />
      <TextField
        label="Connection Password"
        type="password"
        autoComplete="new-password"
        value={isStored ? '' : pool.password}
        placeholder={isStored ? secretPlaceholder : ''}
        onChange={password => {
          if (typedValue(password) === undefined) onChange({ ...pool, password })
        }}
      />
      <TextField
        label="Database Name"
        value={pool.databaseName}
        onChange={name => onChange(withDatabaseName(pool, name))}
      />
    </>
  )
}
