/** Goes to an address, or writes other parameters into that of the page if it is still the same. */
export default function ({ data }) {
  const there = new URL(location.href);
  if (data.address !== undefined) {
    there.href = new URL(data.address, location.href).href;
    if (there.href === location.href) return;
    history.pushState({}, "", there);
    // What a browser says after Back makes Streamlit show what the address says.
    dispatchEvent(new PopStateEvent("popstate"));
    return;
  }
  if (sorted(location.search) !== sorted(data.before)) return;
  there.search = data.query;
  history.replaceState(history.state, "", there);
}

function sorted(query) {
  const parameters = new URLSearchParams(query);
  // Streamlit keeps what stands behind ? without values, and so does not this.
  for (const [name, value] of [...parameters]) if (!value) parameters.delete(name);
  parameters.sort();
  return parameters.toString();
}
