import { Combobox as Base } from '@base-ui/react/combobox'
import { visibleText } from '@cadmus/model/display'
import { Check } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, type KeyboardEvent, type UIEvent } from 'react'
import { classNames } from './class-names.ts'
import type { Option, Options } from './options.ts'
import { RetryButton } from './RetryButton.tsx'
import { useUiSettings } from './settings.ts'
import styles from './Select.module.css'

type SearchPopupProps<T> = {
  label: string
  emptyText: string
  results: Options<T>
  mono?: boolean | undefined
  /** Called with the best match if Enter was pressed before the results arrived. */
  onLateEnter: (option: Option<T>) => void
}

/** The open part of a search picker: search field, results (20 at a time) and messages. */
export function SearchPopup<T>({ label, emptyText, results, mono, onLateEnter }: SearchPopupProps<T>) {
  const { dropdownHeight } = useUiSettings()
  const { options, loading, pending, error, loadMore, retry } = results
  const waiting = useRef(false)

  const arrived = useEffectEvent(() => {
    const [best] = options
    if (!waiting.current || pending) return
    waiting.current = false
    if (best) onLateEnter(best)
  })
  useEffect(() => arrived(), [options, pending])

  function key(event: KeyboardEvent) {
    waiting.current = false
    if (event.key !== 'Enter' || !pending) return
    // The highlighted option belongs to an earlier search text.
    event.preventDefault()
    event.stopPropagation()
    waiting.current = true
  }

  function scrolled(event: UIEvent<HTMLElement>) {
    const list = event.currentTarget
    if (list.scrollHeight - list.scrollTop - list.clientHeight < 40) loadMore()
  }

  return (
    <Base.Portal>
      <Base.Positioner className={styles['positioner']} sideOffset={4}>
        <Base.Popup className={styles['popup']} aria-label={label} onKeyDownCapture={key}>
          <Base.Input placeholder="Search" aria-label={`Search ${label}`} className={styles['search']} />
          <Base.List
            aria-label={label}
            // The results belong to an earlier search text.
            aria-busy={pending}
            className={styles['list']}
            style={{ maxHeight: dropdownHeight }}
            onScroll={scrolled}
          >
            {(option: Option<T>) => (
              <Base.Item key={option.value} value={option} className={styles['item']}>
                <span className={classNames(styles['text'], mono && styles['mono'])}>
                  {visibleText(option.label)}
                  {option.detail && <span className={styles['detail']}>{visibleText(option.detail)}</span>}
                </span>
                <Base.ItemIndicator>
                  <Check size={14} aria-hidden />
                </Base.ItemIndicator>
              </Base.Item>
            )}
          </Base.List>
          {/* Escape on an empty list closes the list, not the surrounding dialog. */}
          <Base.Empty />
          <Base.Status className={loading || error || options.length === 0 ? styles['note'] : undefined}>
            {error ?? (loading ? 'Loading' : options.length === 0 ? emptyText : null)}
          </Base.Status>
          {error && <RetryButton busy={loading} retry={retry} />}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}
