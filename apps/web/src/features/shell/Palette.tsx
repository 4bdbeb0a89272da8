import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { limits } from '@cadmus/model/limits'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Package2, Table2 } from 'lucide-react'
import { useState } from 'react'
import { entityPage } from '../../api/entities.ts'
import { manifestPage } from '../../api/manifests.ts'
import { keys } from '../../api/query-client.ts'
import { currentOffers } from '../../commands/scope.ts'
import { Keys } from '../../ui/Keys.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { workbench } from '../../workbench/desk.ts'
import type { DocumentRef } from '../../workbench/documents.ts'
import { holdTyping } from '../../workbench/type-ahead.ts'
import styles from './Palette.module.css'

type Line = {
  id: string
  label: string
  detail: string
  shortcut?: string
  kind: 'command' | 'entity' | 'manifest'
  run: () => void
}

/** A frame or two until what a line opens holds the keys itself. */
const opening = 100

/** Everything by name: what can be done now, entities and manifests. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [offers] = useState(() => currentOffers().filter(offer => offer.id !== 'page.palette'))
  const search = useDebounced(text.trim(), limits.searchDebounce)
  const found = useFound(search)
  const wanted = text.trim().toLowerCase()
  const commands = offers
    .filter(offer => offer.disabled === false && offer.label.toLowerCase().includes(wanted))
    .map((offer): Line => ({ ...offer, kind: 'command', detail: '' }))
  const lines = wanted === '' ? commands : [...found, ...commands]

  function run(line: Line) {
    onClose()
    holdTyping(opening)
    // The dialog must be gone before the next one opens, or the focus returns to the wrong place.
    requestAnimationFrame(line.run)
  }

  return (
    <Dialog.Root open onOpenChange={open => (open ? null : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles['backdrop']} />
        <Dialog.Popup className={styles['popup']} aria-label="Search or run a command">
          <Autocomplete.Root
            items={lines}
            open
            inline
            autoHighlight="always"
            mode="none"
            value={text}
            onValueChange={setText}
            itemToStringValue={(line: Line) => line.label}
          >
            <Autocomplete.Input
              className={styles['input']}
              aria-label="Search or run a command"
              placeholder="Search entities, manifests and commands"
            />
            <Autocomplete.List className={styles['list']}>
              {(line: Line) => (
                <Autocomplete.Item key={line.id} value={line} className={styles['item']} onClick={() => run(line)}>
                  {line.kind === 'entity' ? (
                    <Table2 size={14} aria-hidden />
                  ) : line.kind === 'manifest' ? (
                    <Package2 size={14} aria-hidden />
                  ) : (
                    <ChevronRight size={14} aria-hidden />
                  )}
                  <span className={styles['label']}>{line.label}</span>
                  <span className={styles['detail']}>{line.detail}</span>
                  {line.shortcut && <Keys shortcut={line.shortcut} />}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
            <Autocomplete.Empty className={styles['empty']}>Nothing found</Autocomplete.Empty>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function useFound(search: string): Line[] {
  const query = useQuery({
    queryKey: [...keys.options, 'palette', search],
    enabled: search !== '',
    queryFn: async ({ signal }) => {
      const page = { search, limit: 8 }
      const [entities, manifests] = await Promise.all([entityPage(page, signal), manifestPage(page, signal)])
      return [
        ...manifests.manifests.map(item => lineOf({ kind: 'manifest', id: item.id, name: item.name }, item.folder)),
        ...entities.entity.map(item => lineOf({ kind: 'entity', id: item.id, name: item.name }, item.folder)),
      ]
    },
  })
  return search === '' ? [] : (query.data ?? [])
}

function lineOf(document: DocumentRef, detail: string): Line {
  const { kind, id, name } = document
  return { id: `${kind}:${id}`, label: name, detail, kind, run: () => workbench.getState().open(document) }
}
