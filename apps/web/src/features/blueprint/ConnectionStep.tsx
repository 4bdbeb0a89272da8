import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { databaseTypeTable, embeddedDatabase, missingAdvice } from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { embeddedHint } from '../../commands/embedded-database.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { Connection } from './blueprint.ts'
import { emptyFields, neededFields } from './blueprint-rules.ts'
import type { StepProps } from './BlueprintStep.tsx'
import styles from './Blueprint.module.css'

export function ConnectionStep({ state, dispatch }: StepProps) {
  const { connection, databaseType, details } = state
  if (details === 'loading') return <Skeleton lines={4} />
  const needed = neededFields(state)
  const empty = emptyFields(state)
  // An embedded database has no connection fields to fill in.
  const isEmbedded = typeof details === 'object' && embeddedDatabase(details?.url ?? '') !== undefined
  const advice = missingAdvice(databaseType, connection.url)

  function field(name: keyof Connection) {
    const isEmpty = empty.includes(name)
    const left = isEmpty && state.left.has(name) ? blueprintTexts.fieldLeft[name] : null
    return {
      required: needed.includes(name),
      value: connection[name],
      error: isEmpty && state.attempted ? blueprintTexts.fieldRequired[name] : left,
      onChange: (value: string) => dispatch({ type: 'connection', change: { [name]: value } }),
      onBlur: () => dispatch({ type: 'left', field: name }),
    }
  }

  const address = (
    <>
      <TextField
        label="Connection URL"
        type="url"
        mono
        hint={isEmbedded ? undefined : embeddedHint(connection.url)}
        {...field('url')}
      />
      {advice !== null && (
        <Alert kind="info">
          Recommended for {databaseTypeTable[databaseType].label}: add <code>{advice}</code> to the connection URL.
        </Alert>
      )}
      <div className={styles['pair']}>
        <TextField label="Username" {...field('username')} />
        <TextField label="Password" type="password" autoComplete="new-password" {...field('password')} />
      </div>
    </>
  )
  const name = <TextField label="Database name" mono {...field('databaseName')} />
  if (isEmbedded) {
    return (
      <>
        <section>
          <h3 className={styles['heading']}>{messages.packages.embeddedDatabase}</h3>
          <p className={styles['note']}>{messages.packages.embeddedMeans}</p>
        </section>
        {name}
        <details open={empty.length > 0 || undefined} className={styles['details']}>
          <summary>Address and user</summary>
          <div>{address}</div>
        </details>
      </>
    )
  }
  return (
    <>
      {address}
      {name}
      {state.database === 'existing' && <p className={styles['note']}>{blueprintTexts.knownToInstance}</p>}
    </>
  )
}
