// What the router's options say about the page: attributes of its body, there before the first data.
const {environment, environmentColour, readOnly} = document.body.dataset;

export const settings = {environment, environmentColour, readOnly: readOnly === 'true'};
