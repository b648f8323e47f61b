// Style sheets are imported for their effect only; the bundler reads them.
declare module '*.css'
