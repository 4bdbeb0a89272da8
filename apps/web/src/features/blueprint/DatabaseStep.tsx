import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { type PackageDatabase, packageDatabaseOf } from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { useRef } from 'react'
import { databaseThere } from '../../api/instance-calls.ts'
import { DatabaseTypeSelect } from '../../commands/DatabaseTypeSelect.tsx'
import { urlHint } from '../../commands/connection-url-hint.tsx'
import { StillWaiting } from '../../commands/StillWaiting.tsx'
import { FilterSelect } from '../../ui/Combobox.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { UnreadAlert } from '../../ui/UnreadAlert.tsx'
import { fieldProblem } from './blueprint-rules.ts'
import type { StepProps } from './blueprint-flow.ts'
import type { Blueprint } from './blueprint.ts'
import { Offers } from './Offers.tsx'
import { noDatabases, useDatabases, type OfferedDatabase } from './use-instance.ts'

/** The package's database: a new database, or an existing one of the instance. */
export function DatabaseStep({ state, dispatch }: StepProps) {
  const { data, error, isFetching, refetch } = useDatabases(state)
  const databases = data ?? []
  const choose = useChoice(dispatch)
  const none = noDatabases(state, data)
  const failed = error !== null && !isFetching
  const { details } = state
  const loadedDetails = typeof details === 'object' ? details : null
  const isUnknown = state.database === 'existing' && loadedDetails === null
  return (
    <>
      <RadioGroup
        label="Database Connection"
        value={state.database}
        onChange={database => dispatch({ type: 'database', database })}
        options={[
          { value: 'new', label: 'New database', hint: 'The package brings its connection.' },
          {
            value: 'existing',
            label: 'Existing database',
            hint: none ?? 'A database that the instance already has.',
            disabled: none !== undefined,
          },
        ]}
      />
      <StillWaiting waiting={isFetching || details === 'loading'} />
      {failed && (
        <UnreadAlert
          failure={{ message: messages.packages.failed.databases, busy: isFetching, retry: () => void refetch() }}
        />
      )}
      {state.database === 'existing' ? (
        <Existing
          state={state}
          databases={databases}
          reading={data === undefined && isFetching}
          onChoose={database => void choose(database)}
        />
      ) : (
        <Offers
          label={blueprintTexts.databasesThere}
          items={databases.map(database => ({
            id: `${database.instance.instanceUrl} ${database.name}`,
            name: database.label,
            choose: () => {
              dispatch({ type: 'database', database: 'existing' })
              void choose(database)
              dispatch({ type: 'next' })
            },
          }))}
        />
      )}
      <DatabaseTypeSelect<PackageDatabase>
        label="Database Type"
        licensed={state.allowed}
        // An existing database determines its own type.
        value={isUnknown ? null : state.databaseType}
        placeholder={blueprintTexts.typeOfExisting}
        hint={loadedDetails?.type === null ? blueprintTexts.otherType(loadedDetails.typeName) : undefined}
        reason={(isUnknown || loadedDetails?.type != null) && blueprintTexts.typeOfDatabase}
        onChange={databaseType => dispatch({ type: 'databaseType', databaseType })}
      />
    </>
  )
}

/** Chooses a database of an instance and reads its details. */
function useChoice(dispatch: StepProps['dispatch']) {
  const asking = useRef(new AbortController())
  return async function choose({ name, instance }: OfferedDatabase) {
    asking.current.abort()
    const controller = new AbortController()
    asking.current = controller
    const database = { name, instance: instance.instanceUrl }
    dispatch({ type: 'existing', existing: database })
    // Read in the background: the next step waits for it.
    try {
      const { url, username, type } = await databaseThere(instance, name, controller.signal)
      dispatch({
        type: 'details',
        database,
        details: { url, username, type: packageDatabaseOf(type) ?? null, typeName: type },
      })
    } catch {
      if (!controller.signal.aborted) dispatch({ type: 'detailsFailed', database })
    }
  }
}

type ExistingProps = {
  state: Blueprint
  databases: readonly OfferedDatabase[]
  reading: boolean
  onChoose: (database: OfferedDatabase) => void
}

function Existing({ state, databases, reading, onChoose }: ExistingProps) {
  const { existing, details } = state
  const chosen = databases.findIndex(
    one => one.name === existing?.name && one.instance.instanceUrl === existing.instance,
  )
  const chosenDatabase = databases[chosen]
  return (
    <FilterSelect
      label="Existing database"
      required
      placeholder="Select Database"
      reading={reading}
      options={databases.map(({ label }, at) => ({ value: String(at), label }))}
      value={chosen < 0 ? null : String(chosen)}
      hint={typeof details === 'object' ? urlHint(details?.url ?? '') : undefined}
      error={existing === null ? (fieldProblem(state) ?? null) : null}
      failure={
        details === 'failed' && chosenDatabase
          ? {
              message: messages.packages.failed.databaseDetails,
              busy: false,
              retry: () => onChoose(chosenDatabase),
            }
          : null
      }
      onChange={at => {
        const database = databases[Number(at)]
        if (database) onChoose(database)
      }}
    />
  )
}
