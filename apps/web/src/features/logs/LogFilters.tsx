import { useId } from 'react'
import type { LogKind } from '../../api/logs.ts'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { withStart, endProblem, type ChosenFilter } from './log-filter.ts'
import styles from './Logs.module.css'

const kinds: readonly { value: LogKind; label: string }[] = [
  { value: 'manifest', label: 'Manifest' },
  { value: 'entity', label: 'Entity' },
]

type Action = ChosenFilter['actionType']
/** A select needs a non-empty value. */
type ActionChoice = Exclude<Action, ''> | 'ALL'
const actions: readonly { value: ActionChoice; label: string }[] = [
  { value: 'ALL', label: 'All' },
  { value: 'CREATE', label: 'Create' },
  { value: 'UPDATE', label: 'Update' },
  { value: 'DELETE', label: 'Delete' },
]

type LogFiltersProps = {
  kind: LogKind
  onKind: (kind: LogKind) => void
  filter: ChosenFilter
  onFilter: (filter: ChosenFilter) => void
  users: readonly string[]
}

export function LogFilters({ kind, onKind, filter, onFilter, users }: LogFiltersProps) {
  const names = useId()
  return (
    <fieldset className={styles['filters']} aria-label="Filters">
      <Select label="Log Type" options={kinds} value={kind} onChange={onKind} />
      <Select
        label="Action Type"
        options={actions}
        value={filter.actionType === '' ? 'ALL' : filter.actionType}
        onChange={action => onFilter({ ...filter, actionType: action === 'ALL' ? '' : action })}
      />
      <TextField
        label="User"
        list={names}
        maxLength={200}
        value={filter.userName}
        onChange={userName => onFilter({ ...filter, userName })}
      />
      <datalist id={names}>
        {users.map(name => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <TextField
        label="Start Date"
        type="date"
        value={filter.start}
        onChange={start => onFilter(withStart(filter, start))}
      />
      <TextField
        label="End Date"
        type="date"
        disabled={filter.start === ''}
        title={filter.start === '' ? 'Set a start date first.' : undefined}
        min={filter.start}
        value={filter.end}
        error={endProblem(filter)}
        onChange={end => onFilter({ ...filter, end })}
      />
    </fieldset>
  )
}
