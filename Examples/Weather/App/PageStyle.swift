/// How the page looks: a sky, and thin letters on it.
enum PageStyle {
  static let text = """
    :root { color-scheme: dark; font: 17px/1.4 'Helvetica Neue', Inter, system-ui, 'Liberation Sans', sans-serif; }
    html, body { height: 100%; margin: 0; }
    * { box-sizing: border-box; }
    main { min-height: 100%; display: flex; flex-direction: column; align-items: center; padding: 6vh 20px 20px;
      color: #fff; text-align: center; text-shadow: 0 1px 10px rgb(0 0 0 / 30%); background: linear-gradient(#56698a, #313d55); }
    .clear.day { background: linear-gradient(#17599f, #2a78b8 55%, #3d7f93); }
    .clear.night { background: linear-gradient(#0a1030, #1d2357 60%, #3b2f63); }
    .clouds.day { background: linear-gradient(#48617f, #5c7590); } .clouds.night { background: linear-gradient(#151b2e, #2c364d); }
    .rain { background: linear-gradient(#33465c, #48647a); } .thunder { background: linear-gradient(#221f38, #45405f); }
    .snow { background: linear-gradient(#4d6480, #66788f); } .mist { background: linear-gradient(#586371, #6a7077); }
    h1 { margin: 0; font-weight: 300; font-size: 34px; }
    p { margin: 0; } .words::first-letter { text-transform: uppercase; } .none { margin: 12vh 0; font-size: 22px; font-weight: 300; }
    .degrees { margin: 2vh 0 3vh; font-size: clamp(88px, 26vw, 132px); font-weight: 100; line-height: 1; letter-spacing: -.03em; }
    .degrees small { font-size: .3em; font-weight: 200; vertical-align: 1.25em; letter-spacing: 0; }
    dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 0 22px; width: min(100%, 560px); margin: 0; }
    dl div { display: flex; justify-content: space-between; gap: 10px; padding: 9px 0; border-top: 1px solid rgb(255 255 255 / 28%); text-align: left; }
    dl div:nth-last-child(-n + 2) { grid-column: 1 / -1; } dd { margin: 0; text-align: right; }
    .trouble { width: min(100%, 560px); margin-top: 18px; padding: 10px 16px; border-radius: 12px; background: rgb(0 0 0 / 46%); font-size: 15px; }
    footer { display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: 8px 10px; width: min(100%, 560px); margin-top: auto; padding-top: 20px; font-size: 14px; }
    footer p { flex: 1 1 100%; }
    button { font: inherit; min-height: 44px; padding: 0 18px; border: 1px solid rgb(255 255 255 / 60%); border-radius: 12px; color: #fff; background: rgb(0 0 0 / 18%); cursor: pointer; }
    button:disabled { opacity: .6; cursor: default; }
    form { display: grid; gap: 12px; width: min(100%, 560px); margin-top: 14px; padding: 16px; border-radius: 14px; background: rgb(0 0 0 / 46%); text-align: left; }
    label { display: grid; gap: 4px; font-size: 14px; } form button { justify-self: end; }
    input { min-width: 0; padding: 10px 12px; border: 1px solid rgb(255 255 255 / 45%); border-radius: 10px; font: inherit; color: #fff; background: rgb(0 0 0 / 25%); }
    :focus-visible { outline: 3px solid #fff; outline-offset: 2px; }
    """
}
