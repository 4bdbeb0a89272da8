import { limits } from '@cadmus/model/limits'
import { useState } from 'react'
import { folderSource } from '../api/folders.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { SearchSelect } from '../ui/Combobox.tsx'
import { TextField } from '../ui/TextField.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import styles from './EntityFilters.module.css'

const noFilters = { core: false, folder: '', path: '' }

/** The filters of an entity picker; at first it lists the entities of the organisation only. */
export function useEntityFilters() {
  const [entered, setEntered] = useState(noFilters)
  const { core, folder, path } = entered
  const pathFilter = useDebounced(path.trim(), limits.searchDebounce)
  const filter = core ? ('ALL' as const) : ('PRIVATE' as const)
  return { entered, setEntered, query: { filter, folderFilter: folder, pathFilter } }
}

/** The filters below an entity picker. */
export function EntityFilters({ entered, setEntered }: ReturnType<typeof useEntityFilters>) {
  const { core, folder, path } = entered
  const change = (part: Partial<typeof noFilters>) => setEntered(now => ({ ...now, ...part }))
  return (
    <>
      <CoreToggle of="Entities" checked={core} onChange={checked => change({ core: checked })} />
      <details className={styles['filters']}>
        <summary>Advance Filters</summary>
        <div className={styles['fields']}>
          <SearchSelect<string>
            label="By Folder"
            placeholder="All folders"
            source={folderSource()}
            value={folder === '' ? null : { value: folder, label: folder, data: folder }}
            onChange={({ data }) => change({ folder: data })}
          />
          <TextField label="By Path" mono value={path} onChange={text => change({ path: text })} />
          {(folder !== '' || path !== '') && (
            <Button variant="quiet" onClick={() => change({ folder: '', path: '' })}>
              Clear filters
            </Button>
          )}
        </div>
      </details>
    </>
  )
}

type CoreToggleProps = { of: 'Entities' | 'Manifests'; checked: boolean; onChange: (checked: boolean) => void }

/** Adds the library to a picker; off at first in every dialog. */
export function CoreToggle({ of, checked, onChange }: CoreToggleProps) {
  const hint = `Also lists the ${of.toLowerCase()} of the CDM Library.`
  return <Checkbox label={`Show Core ${of}`} hint={hint} checked={checked} onChange={onChange} />
}
