import css from './more.module.css'

/** The icons of the screens under More: SVG paths in a square of 20 units, by the address of the screen. */
const drawings: Readonly<Record<string, string>> = {
  '/customers':
    'M4 3.5h12v13H4zM4 7H2.5M4 13H2.5M10 10a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM7 13.8c.3-1.5 1.4-2.2 3-2.2s2.7.7 3 2.2',
  '/prices': 'M3 10.5V3.5h7l7 7-6.5 6.5zM6.5 7h.01',
  '/wallet': 'M3 6.5A1.5 1.5 0 0 1 4.5 5H15v2.5M3 6.5v8A1.5 1.5 0 0 0 4.5 16h11a1.5 1.5 0 0 0 1.5-1.5v-7H4M13.5 11.5h.01',
  '/top-up': 'M10 3v9M6.5 8.5 10 12l3.5-3.5M3.5 13v3.5h13V13',
  '/team':
    'M7.5 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 16c.3-2.7 2-4 4.5-4s4.2 1.3 4.5 4M13 4.8a2.3 2.3 0 0 1 0 4.4M14.5 12.3c1.5.5 2.4 1.7 2.5 3.7',
  '/business': 'M4 16.5V6l6-2.5L16 6v10.5M2.5 16.5h15M8 16.5V13h4v3.5M7.5 8h.01M12.5 8h.01M7.5 10.5h.01M12.5 10.5h.01',
  '/notices': 'M10 3a4.5 4.5 0 0 0-4.5 4.5c0 4-2 5.5-2 5.5h13s-2-1.5-2-5.5A4.5 4.5 0 0 0 10 3zM8.5 16a1.7 1.7 0 0 0 3 0',
  '/profile': 'M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM4 17c.4-3.2 2.5-4.8 6-4.8s5.6 1.6 6 4.8',
  '/help': 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM7.8 7.8A2.2 2.2 0 0 1 10 6c1.3 0 2.2.9 2.2 2 0 1.6-2.2 1.7-2.2 3.2M10 13.8h.01',
  '/developer': 'M7 6l-4 4 4 4M13 6l4 4-4 4',
  '/requests': 'M4.5 3.5h11v13h-11zM7.5 7h5M7.5 10h5M7.5 13h3',
}

export function MoreIcon({ href }: { readonly href: string }) {
  return (
    <svg className={css.icon} viewBox="0 0 20 20" width="24" height="24" aria-hidden="true">
      <path d={drawings[href]} />
    </svg>
  )
}
