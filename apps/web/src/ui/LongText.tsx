import { visibleText } from '@cadmus/model/display'
import { useEffect, useMemo, useRef } from 'react'
import { classNames } from './class-names.ts'
import { rowsInView, useRowWindow } from './use-window.ts'
import styles from './LongText.module.css'

const lineHeight = 18
/** Longer lines take the browser seconds to lay out. Copies and downloads are complete. */
const longestLine = 5000

export type LongTextProps = {
  label: string
  text: string
  /** Says that some lines are shown up to a number of characters only. */
  cutText: (lines: number, characters: number) => string
  /** Takes the focus when it appears. */
  isFocused?: boolean
  className?: string | undefined
}

/** Lines of text to read and scroll, also by keyboard. Virtualised: only the lines in view are rendered. */
export function LongText({ label, text, cutText, isFocused = false, className }: LongTextProps) {
  const scroller = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isFocused) scroller.current?.focus()
  }, [isFocused])
  const view = useRowWindow(scroller)
  const lines = useMemo(() => text.replace(/\n$/, '').split('\n'), [text])
  const cut = useMemo(() => lines.filter(line => line.length > longestLine).length, [lines])
  return (
    <>
      {cut > 0 && <p className={styles['note']}>{cutText(cut, longestLine)}</p>}
      {/* Focusable so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section ref={scroller} className={classNames(styles['text'], className)} aria-label={label} tabIndex={0}>
        <div style={{ height: lines.length * lineHeight }}>
          {rowsInView(view, lines.length, lineHeight, -1).map(at => (
            <pre key={at} style={{ top: at * lineHeight }}>
              {visibleText(lines[at]?.slice(0, longestLine) ?? '', { lines: true })}
            </pre>
          ))}
        </div>
      </section>
    </>
  )
}
